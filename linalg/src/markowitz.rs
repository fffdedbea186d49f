//! Elimination with Markowitz threshold pivoting: the search that `Calahan` freezes and `Harwell` repeats.
//!
//! Among the entries that are stable enough ([`Stability`]) the next pivot is one with the smallest (r_i - 1)(c_j - 1), r and c
//! counting the active entries of its row and column (Markowitz, Management Science 3 (1957) 255).
//! Lines are kept in lists by count, and only a few of the shortest are looked at (Zlatev, SIAM J. Numer. Anal. 17 (1980) 18; Duff,
//! Erisman, Reid: Direct Methods for Sparse Matrices, 2nd ed., section 10.2). A column without an admissible entry leaves its
//! list until a pivot row meets it, so it is not scanned again and again; its rows remain in theirs.

mod best;
mod front;
mod lists;

use crate::{Interrupt, error::Error};
use best::Best;
pub(crate) use front::{Front, end_to_end};
use lists::CountLists;

/// A smaller part of the largest entry of its row may be the round-off of a zero. Bodies in line leave whole columns of those, and a
/// pivot that is nothing but round-off would be of no use once the bodies have turned.
const ROUND_OFF: f64 = 1e-12;

/// Which entries are stable enough to be pivots, with the threshold u.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stability {
    /// |a_pq| >= u max_j |a_pj|: no entry of a row of U is more than 1/u times its pivot, as rank decisions need. Alone in its column, where
    /// nothing can grow, any nonzero will do.
    Row,
    /// The same of an entry that is alone in its column too, for those to whom the choice of the columns matters.
    EveryRow,
    /// That, or |a_pq| >= u max_i |a_iq|. A step changes a_ij by (a_iq / a_pq) a_pj, so either makes entries grow by a factor of 1 + 1/u at
    /// most, and growth is all that the backward error depends on (Higham, Accuracy and Stability, 2nd ed., section 9.3). The
    /// wider choice saves a quarter to a half of the multiply-adds on Newton matrices of mechanisms. An entry below
    /// [`ROUND_OFF`] of its row is not taken.
    RowOrColumn,
}

/// How pivots are chosen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    /// u: smallest admissible pivot relative to its line.
    pub(crate) threshold: f64,
    pub(crate) stability: Stability,
    /// Lines looked at before the best entry found is taken.
    pub(crate) search: usize,
    /// Entries that fall to this magnitude or below are zero and leave the structure; `None` keeps every entry.
    pub(crate) drop: Option<f64>,
    /// Smallest pivot. If it is not 0, pivots are taken by size, those of each decade before any that are smaller: what is left in the end is
    /// then as small as a rank decision needs, whatever small entries stand beside large ones.
    pub(crate) least: f64,
}

/// One entry of a line: index and value.
pub(crate) type Entry = (u32, f64);

/// Says how many multiply-adds more may be done, where those allowed are not enough.
pub(crate) type More<'a> = &'a mut dyn FnMut() -> usize;

/// Result of an elimination: L and U by rows, in the indices of the matrix.
#[derive(Debug)]
pub(crate) struct Elimination {
    /// Row and column of each pivot, in order.
    pub(crate) pivots: Vec<(u32, u32)>,
    /// Pivot values.
    pub(crate) values: Vec<f64>,
    /// For each row of the matrix its multipliers: (pivot number, l), in ascending order.
    pub(crate) lower: Vec<Vec<Entry>>,
    /// For each row of the matrix what was left when it became a pivot row: (column, value) without the pivot itself.
    pub(crate) upper: Vec<Vec<Entry>>,
    /// Multiply-adds that may still be done.
    budget: usize,
    /// Whether it ended because there were too few.
    pub(crate) stopped: bool,
}

/// The matrix during the elimination.
struct Active {
    rows: Vec<Vec<Entry>>,
    columns: Vec<Vec<u32>>,
    row_max: Vec<f64>,
    /// Largest magnitude of each column, NaN where it is not known.
    column_max: Vec<f64>,
    row_lists: CountLists,
    column_lists: CountLists,
    /// Multiplier work: u_kj of the pivot row by column, and two stamps that say when it was set and when it was met.
    pivot_value: Vec<f64>,
    in_pivot_row: Vec<u32>,
    met: Vec<u32>,
    stamp: u32,
    rule: Rule,
    /// Smallest pivot taken for now.
    floor: f64,
    front: Option<Front>,
}

/// Eliminates until no admissible pivot is left. `rows` holds the entries of an equilibrated matrix; with `columns` columns.
///
/// # Errors
/// [`Error::Interrupted`]: pivots that were not sought are none that are missing.
pub(crate) fn eliminate(rows: Vec<Vec<Entry>>, columns: usize, rule: Rule) -> Result<Elimination, Error> {
    let elimination = eliminate_within(rows, columns, rule, None, usize::MAX, &mut || 0, &Interrupt::never());
    if elimination.stopped { Err(Error::Interrupted) } else { Ok(elimination) }
}

/// The same, with a front pivots from the columns behind it alone; stops before it has done more than `budget` multiply-adds and those that `more`
/// then allows, and when it is interrupted.
pub(crate) fn eliminate_within(
    rows: Vec<Vec<Entry>>,
    columns: usize,
    rule: Rule,
    front: Option<Front>,
    budget: usize,
    more: More,
    interrupt: &Interrupt,
) -> Elimination {
    let mut active = Active::new(rows, columns, rule, front);
    let mut result = active.nothing_yet(budget);
    active.eliminate(&mut result, more, interrupt);
    result
}

impl Elimination {
    /// The error for a square matrix of order n whose elimination ended early: names a row and a column left over.
    pub(crate) fn singular(&self, n: usize) -> Error {
        let (mut row_used, mut column_used) = (vec![false; n], vec![false; n]);
        for &(i, j) in &self.pivots {
            row_used[i as usize] = true;
            column_used[j as usize] = true;
        }
        let left = |used: &[bool]| used.iter().position(|u| !u).unwrap_or(0);
        Error::Singular { row: left(&row_used), column: left(&column_used), pivot: 0.0, dimension: n }
    }
}

impl Active {
    fn new(mut rows: Vec<Vec<Entry>>, n: usize, rule: Rule, front: Option<Front>) -> Self {
        let m = rows.len();
        let mut count = vec![0u32; n];
        let mut row_max = vec![0.0; m];
        for (row, max) in rows.iter_mut().zip(&mut row_max) {
            if let Some(drop) = rule.drop {
                row.retain(|e| e.1.abs() > drop);
            }
            for e in row.iter() {
                count[e.0 as usize] += 1;
            }
            *max = largest(row);
        }
        let mut columns: Vec<Vec<u32>> = count.iter().map(|&c| Vec::with_capacity(c as usize)).collect();
        for (i, row) in rows.iter().enumerate() {
            for e in row {
                columns[e.0 as usize].push(i as u32);
            }
        }
        let mut row_lists = CountLists::new(m, n);
        let mut column_lists = CountLists::new(n, m);
        if front.is_none() {
            rows.iter().enumerate().for_each(|(i, row)| row_lists.insert(i, row.len()));
            columns.iter().enumerate().for_each(|(j, column)| column_lists.insert(j, column.len()));
        }
        Self {
            rows,
            columns,
            row_max,
            column_max: vec![f64::NAN; n],
            row_lists,
            column_lists,
            pivot_value: vec![0.0; n],
            in_pivot_row: vec![0; n],
            met: vec![0; n],
            stamp: 0,
            rule,
            floor: if rule.least > 0.0 { 0.1 } else { 0.0 },
            front,
        }
    }

    fn nothing_yet(&self, budget: usize) -> Elimination {
        let (m, most) = (self.rows.len(), self.rows.len().min(self.columns.len()));
        Elimination {
            pivots: Vec::with_capacity(most),
            values: Vec::with_capacity(most),
            lower: vec![Vec::new(); m],
            upper: vec![Vec::new(); m],
            budget,
            stopped: false,
        }
    }

    /// Until no admissible pivot is left, too few multiply-adds, or no patience.
    fn eliminate(&mut self, result: &mut Elimination, more: More, interrupt: &Interrupt) {
        while let Some((row, column)) = self.search() {
            if interrupt.is_raised() {
                result.stopped = true;
            }
            if result.stopped || !self.pivot_within(row, column, result, more) {
                return;
            }
        }
    }

    /// Eliminates with pivot (p, q) if that is not too dear. Returns whether it did.
    fn pivot_within(&mut self, p: usize, q: usize, result: &mut Elimination, more: More) -> bool {
        let cost = (self.rows[p].len() - 1) * (self.columns[q].len() - 1);
        result.stopped = cost > result.budget && {
            result.budget += more();
            cost > result.budget
        };
        if !result.stopped {
            result.budget -= cost;
            self.pivot(p, q, result);
        }
        !result.stopped
    }

    /// The next pivot, or none when no entry is admissible; the front moves on as far as it must.
    fn search(&mut self) -> Option<(usize, usize)> {
        let mut wanted = 0;
        loop {
            while let Some(j) = self.front.as_mut().and_then(|front| front.open(wanted)) {
                self.column_lists.insert(j, self.columns[j].len());
            }
            let found = self.search_lists();
            match &self.front {
                Some(front) if found.is_none() && !front.is_through() => wanted = front.waiting(),
                _ if found.is_none() && self.floor > self.rule.least => self.lower_floor(),
                _ => return found,
            }
        }
    }

    /// Admits pivots of the next decade: rows and columns that had none are looked at again.
    fn lower_floor(&mut self) {
        self.floor = (0.1 * self.floor).max(self.rule.least);
        self.rows.iter().enumerate().for_each(|(i, row)| self.row_lists.move_to(i, row.len()));
        self.columns.iter().enumerate().for_each(|(j, column)| self.column_lists.move_to(j, column.len()));
    }

    /// The best pivot of the rows and columns searched.
    fn search_lists(&mut self) -> Option<(usize, usize)> {
        let mut best = Best::among(self.rule.search);
        let longest = self.row_lists.longest().max(self.column_lists.longest());
        for count in 1..=longest {
            // In a column of this length no pivot costs less than (count - 1)^2, in a row not less than count (count - 1),
            // because shorter columns have been looked at.
            let mut next = self.column_lists.first(count);
            while let Some(j) = next {
                if best.is_enough((count - 1) * (count - 1)) {
                    return best.pivot;
                }
                next = self.column_lists.next(j);
                match self.best_in_column(j) {
                    None => self.column_lists.remove(j),
                    Some((i, cost)) => best.offer((i, j), cost),
                }
            }
            let mut next = self.row_lists.first(count);
            while let Some(i) = next {
                if best.is_enough(count * (count - 1)) {
                    return best.pivot;
                }
                next = self.row_lists.next(i);
                match self.best_in_row(i) {
                    None => self.row_lists.remove(i),
                    Some((j, cost)) => best.offer((i, j), cost),
                }
            }
        }
        best.pivot
    }

    /// Magnitude from which an entry of column j is admissible for its column.
    fn least_in_column(&mut self, j: usize) -> f64 {
        if self.rule.stability != Stability::RowOrColumn {
            return f64::INFINITY;
        }
        if self.column_max[j].is_nan() {
            let sizes = self.columns[j].iter().map(|&i| value_at(&self.rows[i as usize], j).abs());
            self.column_max[j] = sizes.fold(0.0, f64::max);
        }
        self.rule.threshold * self.column_max[j]
    }

    /// Magnitude from which an entry of row i is admissible, given that for its column.
    fn least(&self, i: usize, in_column: f64) -> f64 {
        let row = self.row_max[i];
        in_column.max(ROUND_OFF * row).min(self.rule.threshold * row)
    }

    /// Admissible entry of column j in the shortest row.
    fn best_in_column(&mut self, j: usize) -> Option<(usize, usize)> {
        let least_in_column = self.least_in_column(j);
        let column = &self.columns[j];
        let mut best: Option<(usize, usize)> = None;
        for &i in column {
            let i = i as usize;
            let count = self.rows[i].len();
            if best.is_some_and(|(_, other)| other <= count) {
                continue;
            }
            // A column singleton eliminates nothing, so nothing can grow: any nonzero will do.
            let alone = column.len() == 1 && self.rule.stability != Stability::EveryRow;
            let least = if alone { 0.0 } else { self.least(i, least_in_column) };
            let size = value_at(&self.rows[i], j).abs();
            if size >= least && size > self.floor {
                best = Some((i, count));
            }
        }
        best.map(|(i, count)| (i, (count - 1) * (column.len() - 1)))
    }

    /// Admissible entry of row i in the shortest column.
    fn best_in_row(&mut self, i: usize) -> Option<(usize, usize)> {
        let least_in_row = self.rule.threshold * self.row_max[i];
        let mut best: Option<(usize, usize)> = None;
        for position in 0..self.rows[i].len() {
            let (j, value) = self.rows[i][position];
            let (j, size) = (j as usize, value.abs());
            let count = self.columns[j].len();
            if size <= self.floor || best.is_some_and(|(_, other)| other <= count) {
                continue;
            }
            // The column is asked last: its largest entry may have to be found.
            let admissible = size >= least_in_row || {
                let in_column = self.least_in_column(j);
                size >= self.least(i, in_column)
            };
            if admissible {
                best = Some((j, count));
            }
        }
        best.map(|(j, count)| (j, (self.rows[i].len() - 1) * (count - 1)))
    }

    /// Eliminates with pivot (p, q).
    fn pivot(&mut self, p: usize, q: usize, result: &mut Elimination) {
        let k = result.pivots.len() as u32;
        let mut pivot_row = std::mem::take(&mut self.rows[p]);
        self.row_lists.remove(p);
        self.column_lists.remove(q);
        let pivot = take(&mut pivot_row, q);
        for &(j, value) in &pivot_row {
            let column = &mut self.columns[j as usize];
            remove_index(column, p as u32);
            self.pivot_value[j as usize] = value;
            self.column_max[j as usize] = f64::NAN;
            self.in_pivot_row[j as usize] = k + 1;
        }
        let targets = std::mem::take(&mut self.columns[q]);
        for &i in targets.iter().filter(|&&i| i as usize != p) {
            let i = i as usize;
            let l = take(&mut self.rows[i], q) / pivot;
            result.lower[i].push((k, l));
            self.update(i, k, l, &pivot_row);
        }
        for e in &pivot_row {
            let j = e.0 as usize;
            if self.front.as_ref().is_none_or(|front| front.is_open(j)) {
                self.column_lists.move_to(j, self.columns[j].len());
            }
        }
        if let Some(front) = &mut self.front {
            front.eliminated();
        }
        result.pivots.push((p as u32, q as u32));
        result.values.push(pivot);
        result.upper[p] = pivot_row;
    }

    /// Row i minus l times the pivot row; keeps its count, its largest entry and the columns' lists.
    fn update(&mut self, i: usize, k: u32, l: f64, pivot_row: &[Entry]) {
        self.stamp += 1;
        let mut matched = 0;
        for (j, value) in &mut self.rows[i] {
            let j = *j as usize;
            if self.in_pivot_row[j] == k + 1 {
                *value -= l * self.pivot_value[j];
                self.met[j] = self.stamp;
                matched += 1;
            }
        }
        if matched < pivot_row.len() {
            for &(j, value) in pivot_row {
                if self.met[j as usize] != self.stamp {
                    self.rows[i].push((j, -l * value));
                    self.columns[j as usize].push(i as u32);
                }
            }
        }
        if let Some(drop) = self.rule.drop {
            self.drop_small(i, drop);
        }
        self.row_max[i] = largest(&self.rows[i]);
        if self.front.is_none() {
            self.row_lists.move_to(i, self.rows[i].len());
        }
    }

    /// Removes negligible entries of row i, from their columns too.
    fn drop_small(&mut self, i: usize, drop: f64) {
        let mut position = 0;
        while position < self.rows[i].len() {
            let (j, value) = self.rows[i][position];
            if value.abs() > drop {
                position += 1;
            } else {
                self.rows[i].swap_remove(position);
                let column = &mut self.columns[j as usize];
                remove_index(column, i as u32);
                self.column_lists.move_to(j as usize, column.len());
            }
        }
    }
}

fn largest(row: &[Entry]) -> f64 {
    row.iter().fold(0.0, |max, e| e.1.abs().max(max))
}

fn value_at(row: &[Entry], j: usize) -> f64 {
    row.iter().find(|e| e.0 as usize == j).map_or(0.0, |e| e.1)
}

/// Removes the entry of column j from a row and returns its value.
fn take(row: &mut Vec<Entry>, j: usize) -> f64 {
    match row.iter().position(|e| e.0 as usize == j) {
        Some(position) => row.swap_remove(position).1,
        None => 0.0,
    }
}

fn remove_index(line: &mut Vec<u32>, index: u32) {
    if let Some(position) = line.iter().position(|&i| i == index) {
        line.swap_remove(position);
    }
}
