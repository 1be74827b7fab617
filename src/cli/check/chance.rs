//! Whether numbers of a sample are keys of a column, or numbers that happen to be among them.
//!
//! Where keys are counted, every number up to the last is a key, and so is every price and every
//! quantity below it. What tells references from such numbers is where they end: references end
//! where the keys do. So the chance of a number is the share of keys among the numbers of its size,
//! from a quarter of it to four times as much; small numbers, of which everything is full, say nothing.

/// Numbers up to this one say nothing: quantities, percentages, minutes, years.
pub(super) const SMALL: i64 = 2_100;

/// So many numbers have to be keys at least.
const LEAST: usize = 10;

/// How improbable it must be that numbers that are none of its references are among the keys of a
/// column: `e` to minus this, about 1 in 1 000 000 000.
const EVIDENCE: f64 = 20.7;

/// The keys of a column: how many, from which to which. They are taken to be spread evenly.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keys {
    pub(super) count: f64,
    pub(super) first: i64,
    pub(super) last: i64,
}

#[expect(
    clippy::cast_precision_loss,
    reason = "an estimate, which no digit of so many changes"
)]
impl Keys {
    /// The share of keys among the numbers of the size of this one.
    fn chance(&self, number: i64) -> f64 {
        let (first, last) = (self.first as f64, self.last as f64);
        let (low, high) = (number as f64 / 4.0, number as f64 * 4.0);
        let common = (high.min(last) - low.max(first)).max(0.0);
        let dense = (self.count / (last - first + 1.0)).min(1.0);
        (common * dense / (high - low)).clamp(1e-9, 1.0)
    }

    /// The mean chance of these.
    fn mean(&self, numbers: &[i64]) -> f64 {
        let sum: f64 = numbers.iter().map(|number| self.chance(*number)).sum();
        sum / numbers.len().max(1) as f64
    }

    /// Those that tell something: few numbers of their size are keys.
    pub(super) fn telling(&self, numbers: impl Iterator<Item = i64>) -> Vec<i64> {
        numbers
            .filter(|number| self.chance(*number) < 0.5)
            .collect()
    }

    /// Whether numbers that tell something, of which so many are keys, are references: by the bound
    /// of Hoeffding for a sum of independent tries, `n · KL(found / n, mean chance)`.
    pub(super) fn are(&self, numbers: &[i64], found: usize) -> bool {
        let (all, mean) = (numbers.len() as f64, self.mean(numbers));
        let share = found as f64 / all;
        if found < LEAST || share < 0.5 || share < 2.0 * mean {
            return false;
        }
        let term = |of: f64, to: f64| if of > 0.0 { of * (of / to).ln() } else { 0.0 };
        let divergence = term(share, mean) + term(1.0 - share, 1.0 - mean);
        all * divergence >= EVIDENCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DENSE: Keys = Keys {
        count: 50_000.0,
        first: 1,
        last: 50_000,
    };

    fn spread(from: i64, to: i64, count: i64) -> Vec<i64> {
        (0..count)
            .map(|at| from + (to - from) * at / count)
            .collect()
    }

    #[test]
    fn references_end_where_the_keys_do() {
        let references = DENSE.telling(spread(3_000, 50_000, 60).into_iter());
        assert!(DENSE.are(&references, references.len()));
        assert!(!DENSE.are(&references, 12), "most of them are none");
        assert!(!DENSE.are(&references[..9], 9), "too few");
    }

    #[test]
    fn numbers_in_the_midst_of_the_keys_say_nothing() {
        let prices = DENSE.telling(spread(2_500, 9_999, 900).into_iter());
        assert_eq!(prices, Vec::<i64>::new());
        assert!(!DENSE.are(&prices, 0));
        // Beyond the last key a price is none.
        let prices = DENSE.telling(spread(2_500, 200_000, 900).into_iter());
        let keys = prices.iter().filter(|price| **price <= 50_000).count();
        assert!(!DENSE.are(&prices, keys));
    }

    #[test]
    fn few_keys_say_nothing() {
        for last in [1, 10, 2_000] {
            let keys = Keys {
                count: 10.0,
                first: 1,
                last,
            };
            let numbers = keys.telling(1..=last);
            assert!(last < 100 || !keys.are(&numbers, 10));
        }
    }

    #[test]
    fn keys_with_gaps_are_told_from_all_else() {
        let sparse = Keys {
            count: 1_000.0,
            first: 1_000_000_000,
            last: 9_000_000_000_000,
        };
        let references = sparse.telling(spread(2_000_000_000, 3_000_000_000_000, 12).into_iter());
        assert_eq!(references.len(), 12);
        assert!(sparse.are(&references, 12));
        assert!(!sparse.are(&references, 3));
    }
}
