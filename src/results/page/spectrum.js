// The spectrum of a curve: amplitudes over frequency by the fast Fourier transform (Cooley and Tukey 1965), with Hann's window.

/** In place; the length is a power of two. */
const transform = (re, im) => {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i += 1) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) [re[i], re[j], im[i], im[j]] = [re[j], re[i], im[j], im[i]];
  }
  for (let size = 2; size <= n; size *= 2) {
    for (let k = 0; k < size / 2; k += 1) {
      const c = Math.cos(2 * Math.PI * k / size), s = -Math.sin(2 * Math.PI * k / size);
      for (let i = k; i < n; i += size) {
        const j = i + size / 2, a = re[j] * c - im[j] * s, b = re[j] * s + im[j] * c;
        [re[j], im[j], re[i], im[i]] = [re[i] - a, im[i] - b, re[i] + a, im[i] + b];
      }
    }
  }
};

/** Real and imaginary parts of the transform of real values, of any number: as a convolution with a chirp (Bluestein 1970). */
const transformed = (values) => {
  const n = values.length, wide = 2 ** Math.ceil(Math.log2(2 * n));
  // The chirp e^(-i pi k^2/n) has the period 2 n in k^2.
  const turns = Array.from({ length: n }, (_, k) => Math.PI * (k * k % (2 * n)) / n);
  const [re, im, chirpRe, chirpIm] = Array.from({ length: 4 }, () => new Float64Array(wide));
  turns.forEach((turn, k) => {
    const c = Math.cos(turn), s = Math.sin(turn);
    [re[k], im[k]] = [values[k] * c, -values[k] * s];
    for (const at of [k, (wide - k) % wide]) [chirpRe[at], chirpIm[at]] = [c, s];
  });
  transform(re, im);
  transform(chirpRe, chirpIm);
  for (let i = 0; i < wide; i += 1) [re[i], im[i]] = [re[i] * chirpRe[i] - im[i] * chirpIm[i], re[i] * chirpIm[i] + im[i] * chirpRe[i]];
  // Back: with both parts exchanged the transform is its own inverse, but for the number of values.
  transform(im, re);
  const part = (of, other, sign) => turns.map((turn, k) => (of[k] * Math.cos(turn) + sign * other[k] * Math.sin(turn)) / wide);
  return [part(re, im, 1), part(im, re, -1)];
};

/** How many of the places, from the first on, are at even distances within their digits: all, or all but the last, where a run ended between two outputs. */
const evenCount = (x) => [x.length, x.length - 1].find((count) => {
  const step = (x[count - 1] - x[0]) / (count - 1), slack = SAME * Math.max(Math.abs(x[0]), Math.abs(x[count - 1]));
  return step > 0 && x.slice(0, count).every((at, k) => Math.abs(at - x[0] - k * step) <= slack);
});

/** `count` values at even distances, on straight lines between the points. */
const evenly = (x, y, count) => {
  const step = (x[x.length - 1] - x[0]) / count;
  let k = 0;
  return Array.from({ length: count }, (_, i) => {
    const at = x[0] + i * step;
    while (k + 2 < x.length && x[k + 1] <= at) k += 1;
    const part = x[k + 1] > x[k] ? (at - x[k]) / (x[k + 1] - x[k]) : 0;
    return y[k] + part * (y[k + 1] - y[k]);
  });
};

/**
 * Frequencies and amplitudes of what varies about the mean; a sine of amplitude a on a line of the spectrum gives a. Values at even distances are taken
 * as they are; of others as many are taken on straight lines between them. Above half the rate at which they come they tell nothing.
 */
const spectrum = (x, y) => {
  const kept = [...x.keys()].filter((i) => Number.isFinite(y[i]));
  if (kept.length < 4) return [[], []];
  const [places, values] = [kept.map((i) => x[i]), kept.map((i) => y[i])];
  const even = evenCount(places), points = even ?? places.length, span = places[points - 1] - places[0];
  if (!(span > 0)) return [[], []];
  // The last one begins the next period.
  const count = points - 1;
  const taken = even ? values.slice(0, count) : evenly(places, values, count);
  const mean = taken.reduce((sum, value) => sum + value, 0) / count;
  const [re, im] = transformed(taken.map((value, i) => (value - mean) * (0.5 - 0.5 * Math.cos(2 * Math.PI * i / count))));
  // The window has the mean 1/2, and half of an amplitude is at the negative frequency.
  const lines = Array.from({ length: Math.ceil(count / 2) - 1 }, (_, k) => k + 1);
  return [lines.map((k) => k / span), lines.map((k) => 4 / count * Math.hypot(re[k], im[k]))];
};
