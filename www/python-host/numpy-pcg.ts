// PCG64 (XSL-RR 128/64) in bulk: uniform and normal doubles, the same as www/python/numpy/random draws one by one.

/** Functions of the C library that the normal draw needs. */
export interface Maths {
  exp(value: number): number;
  log1p(value: number): number;
}

/** Tables of the normal ziggurat, by strip. */
export interface Ziggurat {
  readonly accepted: Float64Array;
  readonly widths: Float64Array;
  readonly heights: Float64Array;
}

// 0x2360ed051fc65da44385df649fccf645 in 16-bit limbs, the low ones first.
const MULTIPLIER = [0xf645, 0x9fcc, 0xdf64, 0x4385, 0x5da4, 0x1fc6, 0xed05, 0x2360];
const NORMAL_R = 3.6541528853610088;

/** The generator's 128 bits of state and its increment as sixteen 16-bit limbs each half, the low ones first. */
export class Pcg64 {
  private high = 0;
  private low = 0;

  constructor(
    private readonly state: Float64Array,
    private readonly increment: Float64Array,
  ) {}

  /** Moves on and makes 64 bits, kept in `high` and `low`. */
  private next(): void {
    const { state: s, increment } = this;
    for (let i = 7; i >= 0; i--) {
      // The limbs above have been replaced already, and only those below are read: the carry comes after.
      let sum = increment[i];
      for (let j = 0; j <= i; j++) sum += s[j] * MULTIPLIER[i - j];
      s[i] = sum;
    }
    let carry = 0;
    for (let i = 0; i < 8; i++) {
      const sum = s[i] + carry;
      carry = Math.floor(sum / 65536);
      s[i] = sum - carry * 65536;
    }
    const low = (s[0] ^ s[4]) | ((s[1] ^ s[5]) << 16);
    const high = (s[2] ^ s[6]) | ((s[3] ^ s[7]) << 16);
    const turn = s[7] >>> 10;
    const first = turn >= 32 ? high : low;
    const second = turn >= 32 ? low : high;
    const rest = turn & 31;
    this.low = rest ? (first >>> rest) | (second << (32 - rest)) : first;
    this.high = rest ? (second >>> rest) | (first << (32 - rest)) : second;
  }

  /** A number in [0, 1) of 53 bits. */
  uniform(): number {
    this.next();
    return ((this.high >>> 0) * 2097152 + (this.low >>> 11)) * 1.1102230246251565e-16;
  }

  /** Fills `out` with uniform numbers. */
  uniforms(out: Float64Array): void {
    for (let i = 0; i < out.length; i++) out[i] = this.uniform();
  }

  /** Fills `out` with standard normal numbers. */
  normals(out: Float64Array, { accepted, widths, heights }: Ziggurat, maths: Maths): void {
    let done = 0;
    while (done < out.length) {
      this.next();
      const { low, high } = this;
      const strip = low & 255;
      const size = (high & 0x1fffffff) * 8388608 + (low >>> 9);
      const x = (low & 256 ? -1 : 1) * size * widths[strip];
      if (size < accepted[strip]) {
        out[done++] = x;
      } else if (strip === 0) {
        out[done++] = this.tail((low >>> 17) & 1, maths);
      } else {
        const level = (heights[strip - 1] - heights[strip]) * this.uniform() + heights[strip];
        if (level < maths.exp(-0.5 * x * x)) out[done++] = x;
      }
    }
  }

  private tail(negative: number, maths: Maths): number {
    for (;;) {
      const far = -(1 / NORMAL_R) * maths.log1p(-this.uniform());
      const up = -maths.log1p(-this.uniform());
      if (up + up > far * far) return negative ? -(NORMAL_R + far) : NORMAL_R + far;
    }
  }
}
