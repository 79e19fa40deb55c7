use crate::digest::Digest;

/// Where a petal begins, from the centre, and half of the gap between two of them.
const INNER: f64 = 5.6;
const GAP: f64 = 1.9;
const COS_30: f64 = 0.866_025_403_784_438_6;

/// How far petals reach.
const REACH: [f64; 3] = [20.5, 23.5, 26.5];

/// The outer edge of a petal.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    Round,
    Pointed,
    Flat,
    Cleft,
    Slim,
}

/// What is cut out of a petal.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    None,
    Dot,
    Slit,
    Arc,
    Chevron,
}

/// A petal that stands upright: centre 0 0, up is negative.
#[derive(Debug, Clone, PartialEq)]
pub struct Petal {
    /// How far it reaches from the centre.
    pub reach: f64,
    /// Its outer edge.
    pub edge: Edge,
    /// What is cut out of it.
    pub cut: Cut,
}

/// The shape of a cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mark {
    /// A disc on the axis: its centre and its radius.
    Circle {
        /// The vertical position of its centre.
        cy: String,
        /// Its radius.
        r: String,
    },
    /// A line.
    Path(String),
}

/// A number with at most two decimals, as short as it can be written.
fn n(x: f64) -> String {
    let (scaled, whole) = (x * 100.0, (x * 100.0).floor());
    // Halves go up, also below zero, as in JavaScript; adding one half first would round twice.
    let rounded = if scaled - whole >= 0.5 { whole + 1.0 } else { whole } / 100.0;
    // Zero has no sign.
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

fn p(x: f64, y: f64) -> String {
    format!("{} {}", n(x), n(y))
}

fn polar(radius: f64, degrees: f64) -> (f64, f64) {
    let (sin, cos) = degrees.to_radians().sin_cos();
    (radius * sin, -radius * cos)
}

impl Petal {
    /// The petal of a part: 75 of them can be told apart.
    #[must_use]
    pub fn of(digest: &Digest) -> Self {
        let bytes = digest.as_bytes();
        let v = usize::from(u16::from_be_bytes([bytes[0], bytes[1]]));
        let edges = [Edge::Round, Edge::Pointed, Edge::Flat, Edge::Cleft, Edge::Slim];
        let cuts = [Cut::None, Cut::Dot, Cut::Slit, Cut::Arc, Cut::Chevron];
        Self { reach: REACH[v % 3], edge: edges[v / 3 % 5], cut: cuts[v / 15 % 5] }
    }

    /// Its outline, as the data of an SVG path.
    #[must_use]
    pub fn outline(&self) -> String {
        let r = self.reach;
        let (sx, sy) = polar(r * 0.79, 30.0);
        let (x, y) = (sx - GAP * COS_30, sy - GAP / 2.0);
        let foot = p(0.0, -INNER);
        match self.edge {
            Edge::Round => format!(
                "M{foot}L{}Q{} {}Q{} {}Z",
                p(x, y),
                p(x * 0.98, -r - 0.6),
                p(0.0, -r),
                p(-x * 0.98, -r - 0.6),
                p(-x, y)
            ),
            Edge::Pointed => format!(
                "M{foot}L{}Q{} {}Q{} {}Z",
                p(x * 0.95, y),
                p(x * 0.6, -r * 0.95),
                p(0.0, -r - 1.0),
                p(-x * 0.6, -r * 0.95),
                p(-x * 0.95, y)
            ),
            Edge::Flat => {
                format!("M{foot}L{}L{}L{}L{}Z", p(x, y), p(x * 0.66, -r + 0.4), p(-x * 0.66, -r + 0.4), p(-x, y))
            }
            Edge::Cleft => format!(
                "M{foot}L{}Q{} {}Q{} {}Q{} {}Q{} {}Z",
                p(x, y),
                p(x * 1.02, -r - 0.4),
                p(x * 0.5, -r + 0.1),
                p(x * 0.14, -r),
                p(0.0, -r + 4.0),
                p(-x * 0.14, -r),
                p(-x * 0.5, -r + 0.1),
                p(-x * 1.02, -r - 0.4),
                p(-x, y)
            ),
            Edge::Slim => {
                let w = x * 0.66 * 1.25;
                format!(
                    "M{foot}C{} {} {}C{} {} {foot}Z",
                    p(w, -r * 0.48),
                    p(w, -r * 0.8),
                    p(0.0, -r - 0.6),
                    p(-w, -r * 0.8),
                    p(-w, -r * 0.48)
                )
            }
        }
    }

    /// What is cut out of it, if anything is.
    #[must_use]
    pub fn mark(&self) -> Option<Mark> {
        let (r, slim) = (self.reach, self.edge == Edge::Slim);
        let m = r * 0.69;
        Some(match self.cut {
            Cut::None => return None,
            Cut::Dot => Mark::Circle { cy: n(-m), r: n(if slim { 1.9 } else { 2.3 }) },
            Cut::Slit => Mark::Path(format!("M0 {}V{}", n(-r * 0.48), n(-r * 0.8))),
            Cut::Arc => {
                let (ax, ay) = polar(m, if slim { -8.0 } else { -12.0 });
                Mark::Path(format!("M{}A{} {} 0 0 1 {}", p(ax, ay), n(m), n(m), p(-ax, ay)))
            }
            Cut::Chevron => {
                let k = if slim { 2.3 } else { 3.4 };
                Mark::Path(format!("M{}L{}L{}", p(-k, -m + 1.9), p(0.0, -m - 1.6), p(k, -m + 1.9)))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Outlines and marks as the function in JavaScript draws them, edge by edge.
    #[test]
    fn petals_are_drawn_to_the_hundredth() {
        let petal = |reach, edge, cut| Petal { reach, edge, cut };
        let slim = petal(20.5, Edge::Slim, Cut::Slit);
        assert_eq!(slim.outline(), "M0 -5.6C5.32 -9.84 5.32 -16.4 0 -21.1C-5.32 -16.4 -5.32 -9.84 0 -5.6Z");
        assert_eq!(slim.mark(), Some(Mark::Path("M0 -9.84V-16.4".to_owned())));
        let cleft = petal(26.5, Edge::Cleft, Cut::Chevron);
        assert_eq!(
            cleft.outline(),
            "M0 -5.6L8.82 -19.08Q9 -26.9 4.41 -26.4Q1.24 -26.5 0 -22.5Q-1.24 -26.5 -4.41 -26.4Q-9 -26.9 -8.82 -19.08Z"
        );
        assert_eq!(cleft.mark(), Some(Mark::Path("M-3.4 -16.39L0 -19.89L3.4 -16.39".to_owned())));
        let arc = petal(20.5, Edge::Cleft, Cut::Arc);
        assert_eq!(arc.mark(), Some(Mark::Path("M-2.94 -13.84A14.15 14.15 0 0 1 2.94 -13.84".to_owned())));
        let dot = petal(20.5, Edge::Slim, Cut::Dot);
        assert_eq!(dot.mark(), Some(Mark::Circle { cy: "-14.14".to_owned(), r: "1.9".to_owned() }));
    }
}
