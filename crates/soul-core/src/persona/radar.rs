use std::fmt::Write;

use super::{Bounds, Trait, Traits};

/// The middle of the drawing, both ways, and the length of an axis. There is room for the words beside it.
const MIDDLE: f64 = 180.0;
const RADIUS: f64 = 110.0;
const VIEW: &str = "-40 30 440 300";
const RINGS: [f64; 4] = [0.25, 0.5, 0.75, 1.0];

/// An SVG radar chart of two sets of scores: the author's baseline (dashed) and the current scores. It needs no
/// script, font or link. A trait without a score is drawn in the middle and marked.
#[must_use]
pub fn radar(name: &str, baseline: &Traits, effective: &Traits) -> String {
    let name = escaped(name);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{VIEW}\" role=\"img\" \
         aria-labelledby=\"persona-title persona-desc\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <title id=\"persona-title\">The persona of {name}</title>\n\
         <desc id=\"persona-desc\">{}</desc>\n<g fill=\"none\" stroke=\"#c8ccd4\">\n",
        described(baseline, effective),
    );
    for ring in RINGS {
        let _ = writeln!(out, "<polygon points=\"{}\"/>", points(|_| ring));
    }
    for index in 0..Trait::ALL.len() {
        let (x, y) = point(index, 1.0);
        let _ = writeln!(out, "<line x1=\"{MIDDLE:.1}\" y1=\"{MIDDLE:.1}\" x2=\"{x:.1}\" y2=\"{y:.1}\"/>");
    }
    out.push_str("</g>\n");
    let score = |traits: &Traits, trait_| traits.get(trait_).unwrap_or(Bounds::UNWRITTEN);
    let _ = writeln!(
        out,
        "<polygon points=\"{}\" fill=\"#3b6fd4\" fill-opacity=\"0.25\" stroke=\"#3b6fd4\" stroke-width=\"2\"/>\n\
         <polygon points=\"{}\" fill=\"none\" stroke=\"#6b7280\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\"/>",
        points(|trait_| score(effective, trait_)),
        points(|trait_| score(baseline, trait_)),
    );
    out.push_str("<g fill=\"#374151\">\n");
    for (index, trait_) in Trait::ALL.into_iter().enumerate() {
        let (x, y) = point(index, 1.16);
        let anchor = match x - MIDDLE {
            right if right > 1.0 => "start",
            left if left < -1.0 => "end",
            _ => "middle",
        };
        let parts = effective.get(trait_).map_or_else(|| "not known".to_owned(), |score| format!("{score:.2}"));
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}<tspan x=\"{x:.1}\" dy=\"13\">{parts}</tspan></text>",
            short(trait_)
        );
    }
    out.push_str("</g>\n</svg>\n");
    out
}

/// What is written at an axis.
const fn short(trait_: Trait) -> &'static str {
    match trait_ {
        Trait::HonestyHumility => "Honesty",
        Trait::Emotionality => "Emotion",
        Trait::Extraversion => "Extraversion",
        Trait::Agreeableness => "Agreeable",
        Trait::Conscientiousness => "Conscientious",
        Trait::Openness => "Openness",
    }
}

/// The drawing in words.
fn described(baseline: &Traits, effective: &Traits) -> String {
    if effective.is_empty() {
        return "No trait is known.".to_owned();
    }
    let parts = effective.known().map(|(trait_, now)| match baseline.get(trait_) {
        Some(written) if written == now => format!("{trait_} {now:.2}"),
        Some(written) => format!("{trait_} {written:.2}, now {now:.2}"),
        None => format!("{trait_} not written, now {now:.2}"),
    });
    parts.collect::<Vec<_>>().join("; ") + "."
}

fn points(score: impl Fn(Trait) -> f64) -> String {
    let at = |(index, trait_)| {
        let (x, y) = point(index, score(trait_));
        format!("{x:.1},{y:.1}")
    };
    Trait::ALL.into_iter().enumerate().map(at).collect::<Vec<_>>().join(" ")
}

/// A place on an axis; the first one points up.
fn point(axis: usize, part: f64) -> (f64, f64) {
    let turn = [0.0, 60.0, 120.0, 180.0, 240.0, 300.0_f64][axis % 6].to_radians();
    (MIDDLE + RADIUS * part * turn.sin(), MIDDLE - RADIUS * part * turn.cos())
}

/// Text that may stand in XML: what would be read as markup is written out, what XML cannot hold is
/// replaced.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_says_what_it_shows_and_runs_nothing() {
        let baseline = Traits::from_iter([(Trait::Openness, 0.5), (Trait::Emotionality, 0.2)]);
        let effective = Traits::from_iter([(Trait::Openness, 0.75), (Trait::Emotionality, 0.2)]);
        let svg = radar("</title><script>x & \u{1b}", &baseline, &effective);
        assert!(svg.contains("<desc id=\"persona-desc\">emotionality 0.20; openness 0.50, now 0.75.</desc>"));
        assert!(svg.contains("The persona of &lt;/title&gt;&lt;script&gt;x &amp; \u{fffd}</title>"));
        assert_eq!(svg.matches("not known").count(), 4);
        assert!(!svg.contains("<script") && svg.ends_with("</svg>\n"));
        assert!(radar("x", &Traits::default(), &Traits::default()).contains("No trait is known."));
    }
}
