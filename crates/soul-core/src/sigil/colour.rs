use super::{Theme, first_byte};

/// How many colours there are.
pub const HUES: u8 = 12;

/// The colour of a soul, which never changes: by scope, kind (`agent`, `library`, `package`) and name.
#[must_use]
pub fn hue(scope: &str, kind: &str, name: &str) -> u8 {
    first_byte(&format!("{scope}/{kind}/{name}")) % HUES
}

/// The strong colour of a hue, and its wash, as `#rrggbb`.
pub(super) fn colours(hue: u8, theme: Theme) -> [String; 2] {
    let degrees = 20.0 + 30.0 * f64::from(hue % HUES);
    match theme {
        Theme::Light => [hex(0.52, 0.125, degrees), hex(0.955, 0.022, degrees)],
        Theme::Dark => [hex(0.78, 0.105, degrees), hex(0.26, 0.035, degrees)],
    }
}

/// A colour in OKLCH as sRGB.
fn hex(lightness: f64, chroma: f64, degrees: f64) -> String {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (a, b) = (chroma * cos, chroma * sin);
    let cubed = |x: f64| x * x * x;
    let l = cubed(lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b);
    let m = cubed(lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b);
    let s = cubed(lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b);
    let red = 4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s;
    let green = -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s;
    let blue = -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s;
    format!("#{:02x}{:02x}{:02x}", channel(red), channel(green), channel(blue))
}

/// A linear channel as a byte.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
fn channel(linear: f64) -> u8 {
    let linear = linear.clamp(0.0, 1.0);
    let encoded = if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
    (encoded * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_soul_keeps_its_colour() {
        assert_eq!(hue("home", "agent", "reviewer"), 2);
        assert_eq!(hue("home", "agent", "aria"), 3);
        assert_eq!(hue("home", "library", "concise-ops"), 8);
    }

    #[test]
    fn colours_are_those_of_oklch() {
        assert_eq!(hex(1.0, 0.0, 0.0), "#ffffff");
        assert_eq!(hex(0.0, 0.0, 0.0), "#000000");
        assert_eq!(hex(0.627_955, 0.257_683, 29.233_885), "#ff0000");
        let all: std::collections::BTreeSet<_> = (0..HUES).map(|hue| colours(hue, Theme::Light)).collect();
        assert_eq!(all.len(), usize::from(HUES));
    }
}
