//! Lines (rows or columns) in doubly linked lists, one list for each number of active entries.

/// Stands for the end of a list.
const NONE: u32 = u32::MAX;

/// Which lines have how many entries.
#[derive(Debug)]
pub(super) struct CountLists {
    head: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    /// Count under which each line is filed, 0 when it is in no list.
    count: Vec<u32>,
    /// No list beyond this count is in use.
    longest: usize,
}

impl CountLists {
    /// Empty lists for `lines` lines of at most `longest` entries.
    pub(super) fn new(lines: usize, longest: usize) -> Self {
        Self {
            head: vec![NONE; longest + 1],
            next: vec![NONE; lines],
            previous: vec![NONE; lines],
            count: vec![0; lines],
            longest: 0,
        }
    }

    /// Files a line; one without entries stays out.
    pub(super) fn insert(&mut self, line: usize, count: usize) {
        if count == 0 {
            return;
        }
        let old = self.head[count];
        self.next[line] = old;
        self.previous[line] = NONE;
        if old != NONE {
            self.previous[old as usize] = line as u32;
        }
        self.head[count] = line as u32;
        self.count[line] = count as u32;
        self.longest = self.longest.max(count);
    }

    /// Takes a line out of its list, if it is in one.
    pub(super) fn remove(&mut self, line: usize) {
        let count = self.count[line] as usize;
        if count == 0 {
            return;
        }
        let (next, previous) = (self.next[line], self.previous[line]);
        if previous == NONE {
            self.head[count] = next;
        } else {
            self.next[previous as usize] = next;
        }
        if next != NONE {
            self.previous[next as usize] = previous;
        }
        self.count[line] = 0;
    }

    /// Files a line under a new count, also when it had been taken out.
    pub(super) fn move_to(&mut self, line: usize, count: usize) {
        self.remove(line);
        self.insert(line, count);
    }

    /// First line with this count.
    pub(super) fn first(&self, count: usize) -> Option<usize> {
        self.head.get(count).filter(|&&line| line != NONE).map(|&line| line as usize)
    }

    /// The line filed after this one.
    pub(super) fn next(&self, line: usize) -> Option<usize> {
        let next = self.next[line];
        (next != NONE).then_some(next as usize)
    }

    /// Largest count in use.
    pub(super) fn longest(&mut self) -> usize {
        while self.longest > 0 && self.head[self.longest] == NONE {
            self.longest -= 1;
        }
        self.longest
    }
}
