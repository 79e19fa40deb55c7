//! One letter for how much of what is looked for was not found.

#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The rules that a grade is computed from, version 1: the ids of the public rule set.
pub const GRADED: &[&str] = &[
    "SEC001", "SEC002", "SEC003", "SEC004", "SEC005", "SEC006", "SEC007", "SEC008", "SEC010", "SEC011", "SEC012",
    "SEC013", "SEC014", "SEC015", "SEC020", "SEC021", "SEC022", "SEC030", "SEC031", "SEC032", "SEC040", "SEC041",
    "SEC042", "SEC050", "SEC051", "SEC060", "SEC061", "SEC062", "SEC063", "SEC064", "SEC065", "SEC066", "SEC067",
    "SEC068", "SEC069", "SEC070", "SEC071", "SEC072", "SEC073", "SEC074", "SEC075", "SEC076", "SEC077", "SEC080",
    "SEC081", "SEC082", "SEC083", "SEC084", "SEC085", "SEC086", "SEC087", "SEC088", "SEC089", "SEC090", "SEC091",
    "SEC100", "SEC101", "SEC102",
];

/// The grade of a scan, ordered from worst to best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// Less than 40 % of the rules have no findings.
    F,
    /// 40 %; the best possible grade with a confident error.
    D,
    /// 60 %.
    C,
    /// 70 %.
    CPlus,
    /// 75 %.
    BMinus,
    /// 80 %.
    B,
    /// 85 %.
    BPlus,
    /// 90 %.
    AMinus,
    /// 95 %.
    A,
    /// All rules.
    APlus,
}

/// An invalid grade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownGrade;

/// Every grade, its spelling, and the share of rules that it needs in per cent.
const SCALE: [(Grade, &str, usize); 10] = [
    (Grade::APlus, "A+", 100),
    (Grade::A, "A", 95),
    (Grade::AMinus, "A-", 90),
    (Grade::BPlus, "B+", 85),
    (Grade::B, "B", 80),
    (Grade::BMinus, "B-", 75),
    (Grade::CPlus, "C+", 70),
    (Grade::C, "C", 60),
    (Grade::D, "D", 40),
    (Grade::F, "F", 0),
];

impl Grade {
    /// The grade for `passed` rules without findings out of `total`.
    ///
    /// ```
    /// use soul_core::scan::Grade;
    /// assert_eq!(Grade::from_score(55, 55), Grade::APlus);
    /// assert_eq!(Grade::from_score(54, 55), Grade::A);
    /// assert!(Grade::A > Grade::AMinus);
    /// ```
    #[must_use]
    pub fn from_score(passed: usize, total: usize) -> Self {
        let reached = |least: usize| passed * 100 >= least * total;
        SCALE.iter().find(|(_, _, least)| reached(*least)).map_or(Self::F, |(grade, ..)| *grade)
    }

    /// `A+` to `F`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        SCALE.iter().find(|(grade, ..)| *grade == self).map_or("F", |(_, spelling, _)| spelling)
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Grade {
    type Err = UnknownGrade;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let same = |spelling: &str| spelling.eq_ignore_ascii_case(text);
        SCALE.iter().find(|(_, spelling, _)| same(spelling)).map(|(grade, ..)| *grade).ok_or(UnknownGrade)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Grade {
    fn schema_name() -> Cow<'static, str> {
        "Grade".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "The share of rules without findings, from `A+` (all) to `F`; a confident error \
                allows at most `D`.",
            "enum": SCALE.map(|(_, spelling, _)| spelling),
        })
    }
}

impl<'de> Deserialize<'de> for Grade {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse()
            .map_err(|UnknownGrade| serde::de::Error::custom("the grades are A+, A, A-, B+, B, B-, C+, C, D, F"))
    }
}

impl Serialize for Grade {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
