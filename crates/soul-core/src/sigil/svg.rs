use std::fmt::{self, Write};

use super::colour::colours;
use super::petal::{Mark, Petal};
use super::{Part, Parts};

/// The kind of a soul, as the shape of its rim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// An agent: a circle.
    Agent,
    /// A soul of the library: a rounded square.
    Library,
    /// A package: a hexagon.
    Package,
}

/// The state of a soul, as the line of its rim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rim {
    /// Valid.
    Plain,
    /// Invalid: dotted, red and hollow.
    Invalid,
    /// Switched off: hollow.
    Off,
    /// There is no soul: grey dots.
    Absent,
}

/// The background that it is drawn for.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    #[default]
    Light,
    Dark,
}

/// A sigil as SVG. It needs no script, style, font or link.
#[derive(Debug, Clone)]
pub struct Drawing<'a> {
    /// Whose it is, for readers.
    pub name: &'a str,
    /// The kind.
    pub shape: Shape,
    /// The colour, from 0 to 11.
    pub hue: u8,
    /// What it is drawn from.
    pub parts: &'a Parts,
    /// The state.
    pub rim: Rim,
    /// The parts that changed, in a comparison: the others are faint.
    pub changed: Option<&'a [Part]>,
    /// The width and height in pixels. Small ones have no cuts.
    pub size: u16,
    /// The background.
    pub theme: Theme,
}

/// Up to this size a petal has no cuts.
const WITHOUT_CUTS: u16 = 24;

impl Drawing<'_> {
    /// What the drawing shows, in words.
    fn described(&self) -> String {
        match self.changed {
            None => format!("The sigil of {}", self.name),
            Some([]) => format!("The sigil of {}: nothing changed", self.name),
            Some(changed) => {
                let words: Vec<_> = changed.iter().map(|part| part.as_str()).collect();
                format!("The sigil of {}: {} changed", self.name, words.join(", "))
            }
        }
    }

    /// The colour of petals, that of what is cut out of them, and that of an empty part.
    fn colours(&self) -> [String; 3] {
        let [strong, wash] = colours(self.hue, self.theme);
        let is_light = self.theme == Theme::Light;
        let red = if is_light { ["#a51f1b", "#fdebe9"] } else { ["#fb998c", "#3c201c"] };
        let grey = if is_light { "#88867e" } else { "#6c746f" };
        match self.rim {
            Rim::Plain | Rim::Off => [strong.clone(), wash, strong],
            Rim::Invalid => [red[0].to_owned(), red[1].to_owned(), red[0].to_owned()],
            Rim::Absent => [grey.to_owned(), "none".to_owned(), grey.to_owned()],
        }
    }

    fn rim(&self, f: &mut fmt::Formatter<'_>, strong: &str, wash: &str) -> fmt::Result {
        match self.shape {
            Shape::Agent => f.write_str("<circle r=\"31\"")?,
            Shape::Library => f.write_str("<rect x=\"-31\" y=\"-31\" width=\"62\" height=\"62\" rx=\"16\"")?,
            Shape::Package => f.write_str(
                "<polygon points=\"0,-31 26.85,-15.5 26.85,15.5 0,31 -26.85,15.5 -26.85,-15.5\" stroke-linejoin=\"round\"",
            )?,
        }
        let (fill, line) = match self.rim {
            Rim::Plain => (wash, "stroke-opacity=\".32\""),
            Rim::Invalid => (wash, "stroke-width=\"2.4\" stroke-dasharray=\"3 5\""),
            Rim::Off => ("none", "stroke-opacity=\".32\""),
            Rim::Absent => ("none", "stroke-dasharray=\"3 5\""),
        };
        write!(f, " fill=\"{fill}\" stroke=\"{strong}\" {line}/>")
    }

    fn petal(&self, f: &mut fmt::Formatter<'_>, petal: &Petal, [strong, wash, _]: &[String; 3]) -> fmt::Result {
        let is_hollow = self.rim != Rim::Plain;
        let (fill, width) = if is_hollow { ("none", "1.6") } else { (strong.as_str(), "2") };
        let outline = petal.outline();
        write!(
            f,
            "<path d=\"{outline}\" fill=\"{fill}\" stroke=\"{strong}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"/>"
        )?;
        match petal.mark().filter(|_| !is_hollow && self.size > WITHOUT_CUTS) {
            None => Ok(()),
            Some(Mark::Circle { cy, r }) => write!(f, "<circle cy=\"{cy}\" r=\"{r}\" fill=\"{wash}\"/>"),
            Some(Mark::Path(path)) => write!(
                f,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{wash}\" stroke-width=\"2.2\" stroke-linecap=\"round\" \
                 stroke-linejoin=\"round\"/>"
            ),
        }
    }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (size, colours) = (self.size, self.colours());
        write!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-33 -33 66 66\" width=\"{size}\" height=\"{size}\" \
             role=\"img\"><title>"
        )?;
        escaped(f, &self.described())?;
        f.write_str("</title>")?;
        self.rim(f, &colours[0], &colours[1])?;
        let is_package = self.shape == Shape::Package;
        f.write_str(if is_package { "<g transform=\"scale(.88)\">" } else { "<g>" })?;
        for (index, part) in Part::ALL.into_iter().enumerate() {
            let is_faint = self.changed.is_some_and(|changed| !changed.contains(&part));
            let faint = if is_faint { " opacity=\".2\"" } else { "" };
            write!(f, "<g transform=\"rotate({})\"{faint}>", index * 60)?;
            match self.parts.get(part).filter(|_| self.rim != Rim::Absent) {
                Some(digest) => self.petal(f, &Petal::of(&digest), &colours)?,
                None => write!(f, "<circle cy=\"-15\" r=\"2.2\" fill=\"{}\" opacity=\".42\"/>", colours[2])?,
            }
            f.write_str("</g>")?;
        }
        f.write_str("</g></svg>\n")
    }
}

/// A text between tags.
fn escaped(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    text.chars().try_for_each(|c| match c {
        '&' => f.write_str("&amp;"),
        '<' => f.write_str("&lt;"),
        '>' => f.write_str("&gt;"),
        // No other control character may stand in XML.
        c if c.is_control() && !matches!(c, '\t' | '\n') => f.write_char('\u{fffd}'),
        c => f.write_char(c),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Digest;

    fn drawing<'a>(parts: &'a Parts, changed: Option<&'a [Part]>) -> Drawing<'a> {
        let (shape, rim, theme) = (Shape::Agent, Rim::Plain, Theme::Light);
        Drawing { name: "<ada>&\u{1}", shape, hue: 2, parts, rim, changed, size: 64, theme }
    }

    #[test]
    fn an_empty_part_is_a_dot_and_a_name_is_text() {
        let parts = Parts { limits: Some(Digest::of([b"x".as_slice()])), ..Parts::default() };
        let drawn = drawing(&parts, None).to_string();
        assert_eq!(drawn.matches("cy=\"-15\"").count(), 5);
        assert!(drawn.contains("<g transform=\"rotate(180)\"><path"), "{drawn}");
        assert!(drawn.contains("<title>The sigil of &lt;ada&gt;&amp;\u{fffd}</title>"), "{drawn}");
        assert!(!drawn.contains("style") && !drawn.contains("href"));
    }

    #[test]
    fn a_comparison_shows_what_changed() {
        let parts = Parts { limits: Some(Digest::of([b"x".as_slice()])), ..Parts::default() };
        let drawn = drawing(&parts, Some(&[Part::Limits])).to_string();
        assert_eq!(drawn.matches("opacity=\".2\"").count(), 5);
        assert!(drawn.contains("limits changed</title>"), "{drawn}");
    }

    #[test]
    fn a_small_sigil_has_no_cuts_and_an_invalid_one_is_hollow() {
        let all = (0_u32..64).map(|n| Digest::of([n.to_be_bytes().as_slice()]));
        let cut = all.clone().find(|digest| matches!(Petal::of(digest).mark(), Some(Mark::Path(_))));
        let parts = Parts { voice: cut, ..Parts::default() };
        let large = drawing(&parts, None);
        assert_eq!(large.to_string().matches("<path").count(), 2);
        assert_eq!(Drawing { size: 24, ..large.clone() }.to_string().matches("<path").count(), 1);
        let invalid = Drawing { rim: Rim::Invalid, ..large }.to_string();
        assert!(invalid.contains("stroke-dasharray=\"3 5\"") && invalid.contains("fill=\"none\" stroke=\"#a51f1b\""));
    }
}
