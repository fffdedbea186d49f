use crate::{
    error::Error,
    fill::{Fill, RowView, Sequence},
};

#[derive(Debug, Clone)]
pub(crate) struct Stream {
    sequence: Sequence,
    fill: Fill,
    place: Vec<u32>,
    targets: Vec<u32>,
    /// blocks: start, number of L entries, number of U entries
    blocks: Vec<(u32, u32, u32)>,
    lcol: Vec<u32>,
    urow: Vec<u32>,
    lu: Vec<f64>,
    inverse: Vec<f64>,
    floor: Vec<f64>,
    permuted: Vec<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Flow {
    Good,
    SmallPivot,
    NotFinite,
}

impl Stream {
    pub(crate) fn new(rows: &RowView, sequence: Sequence, fill: Fill) -> Result<Self, Error> {
        let n = sequence.rows.len();
        let mut number = vec![0u32; n];
        for (k, &j) in sequence.columns.iter().enumerate() {
            number[j as usize] = k as u32;
        }
        let mut lcols: Vec<Vec<u32>> = vec![Vec::new(); n];
        for i in 0..n {
            for &k in fill.lower_row(i) {
                lcols[k as usize].push(i as u32);
            }
        }
        let mut blocks = Vec::new();
        let mut at = 0u32;
        let (mut lcol, mut urow) = (Vec::new(), Vec::new());
        for k in 0..n {
            let (nl, nu) = (lcols[k].len() as u32, fill.upper_row(k).len() as u32);
            blocks.push((at, nl, nu));
            lcol.extend(&lcols[k]);
            urow.extend(fill.upper_row(k));
            at += nl + nu + 1;
        }
        // position of (i,j)
        let pos = |i: u32, j: u32| -> u32 {
            use std::cmp::Ordering::*;
            match i.cmp(&j) {
                Equal => blocks[i as usize].0,
                Greater => blocks[j as usize].0 + 1 + lcols[j as usize].binary_search(&i).unwrap() as u32,
                Less => {
                    blocks[i as usize].0
                        + 1
                        + blocks[i as usize].1
                        + fill.upper_row(i as usize).binary_search(&j).unwrap() as u32
                }
            }
        };
        let mut targets = Vec::with_capacity(fill.multiply_adds);
        for k in 0..n {
            let end = blocks[k].0 + 1 + blocks[k].1 + blocks[k].2;
            for &i in &lcols[k] {
                for &j in fill.upper_row(k) {
                    targets.push(pos(i, j) - end);
                }
            }
        }
        let mut place = vec![0u32; rows.entries.len()];
        for i in 0..n {
            for &(j, p) in rows.row(sequence.rows[i] as usize) {
                place[p as usize] = pos(i as u32, number[j as usize]);
            }
        }
        Ok(Self {
            sequence,
            fill,
            place,
            targets,
            blocks,
            lcol,
            urow,
            lu: vec![0.0; at as usize],
            inverse: vec![0.0; n],
            floor: vec![0.0; n],
            permuted: vec![0.0; n],
        })
    }

    pub(crate) fn fill(&self) -> &Fill {
        &self.fill
    }

    pub(crate) fn factor(&mut self, values: &[f64]) -> Flow {
        let lu = &mut self.lu[..];
        lu.fill(0.0);
        for (&p, &v) in self.place.iter().zip(values) {
            lu[p as usize] = v;
        }
        let mut small = false;
        let mut finite = 0.0;
        let mut targets = &self.targets[..];
        let mut rest = lu;
        for (k, &(_, nl, nu)) in self.blocks.iter().enumerate() {
            let (nl, nu) = (nl as usize, nu as usize);
            let (block, tail) = rest.split_at_mut(1 + nl + nu);
            let (l, u) = block.split_at_mut(1 + nl);
            let pivot = l[0];
            let inv = 1.0 / pivot;
            small |= !(pivot.abs() >= self.floor[k]);
            finite += pivot * 0.0;
            self.inverse[k] = inv;
            for l in &mut l[1..] {
                *l *= inv;
                let lv = *l;
                let (now, later) = targets.split_at(nu);
                targets = later;
                for (&t, &u) in now.iter().zip(&*u) {
                    #[cfg(feature = "unchecked")]
                    unsafe {
                        *tail.get_unchecked_mut(t as usize) -= lv * u;
                    }
                    #[cfg(not(feature = "unchecked"))]
                    {
                        tail[t as usize] -= lv * u;
                    }
                }
            }
            rest = tail;
        }
        match (finite == 0.0, small) {
            (false, _) => Flow::NotFinite,
            (true, true) => Flow::SmallPivot,
            (true, false) => Flow::Good,
        }
    }
    pub(crate) fn set_floors(&mut self, fraction: f64) {
        for (floor, inverse) in self.floor.iter_mut().zip(&self.inverse) {
            *floor = fraction / inverse.abs();
        }
    }

    pub(crate) fn solve(&mut self, b: &mut [f64]) {
        let y = &mut self.permuted[..];
        for (to, &from) in y.iter_mut().zip(&self.sequence.rows) {
            *to = b[from as usize];
        }
        let n = y.len();
        let mut rows = &self.lcol[..];
        for (k, &(s, nl, _)) in self.blocks.iter().enumerate() {
            let s = s as usize + 1;
            let (now, later) = rows.split_at(nl as usize);
            rows = later;
            let v = y[k];
            for (&i, &l) in now.iter().zip(&self.lu[s..s + nl as usize]) {
                y[i as usize] -= l * v;
            }
        }
        let mut cols = &self.urow[..];
        for k in (0..n).rev() {
            let (s, nl, nu) = self.blocks[k];
            let s = (s + 1 + nl) as usize;
            let (later, now) = cols.split_at(cols.len() - nu as usize);
            cols = later;
            let mut sum = y[k];
            for (&j, &u) in now.iter().zip(&self.lu[s..s + nu as usize]) {
                sum -= u * y[j as usize];
            }
            y[k] = sum * self.inverse[k];
        }
        for (&from, &to) in y.iter().zip(&self.sequence.columns) {
            b[to as usize] = from;
        }
    }
}
