//! Whether arrays whose sizes the host asks for can be had: an allocation that fails would end its process.

use std::hint::black_box;

/// Most numbers, 512 GiB: allocators that do not look at the memory there is would promise more.
const MOST: u64 = 1 << 36;

/// Whether memory for so many numbers can be had at once; `None` stands for more than can be counted.
pub(crate) fn holds(numbers: Option<usize>) -> bool {
    let Some(numbers) = numbers.filter(|numbers| *numbers as u64 <= MOST) else { return false };
    // Asked for and given back: what is not written to costs nothing. The optimizer must not take the answer for granted.
    black_box(&mut Vec::<f64>::new()).try_reserve_exact(numbers).is_ok()
}

#[cfg(test)]
mod tests {
    use super::holds;

    #[test]
    fn what_no_machine_has_is_refused() {
        assert!(holds(Some(0)) && holds(Some(1 << 16)));
        assert!(!holds(None) && !holds(Some(usize::MAX)) && !holds(Some(isize::MAX as usize / 8)));
    }
}
