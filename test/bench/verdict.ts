/** One line of the benchmark. Where there is nothing to compare with, `reference` and `ratio` are null. */
export interface Row {
  readonly row: string;
  readonly unit: Unit;
  readonly product: number;
  readonly reference: number | null;
  /** What the reference is, in a few words. */
  readonly against: string;
  readonly ratio: number | null;
  readonly goal: string;
  readonly met: boolean;
  /** False where this machine cannot show whether the goal is met. */
  readonly measurable?: boolean;
  /** What else was seen. */
  readonly note?: string;
}

export type Unit = '/s' | 'ms' | 'us' | 'MB' | 'KB' | 'calls';

interface Measured {
  readonly row: string;
  readonly unit: Unit;
  readonly product: number;
  readonly note?: string;
}

interface Compared extends Measured {
  readonly reference: number;
  readonly against: string;
  /** In place of that of the two figures: the median of the rounds' own, each of one mood of the machine. */
  readonly ratio?: number;
}

const ratioOf = ({ product, reference, ratio = product / reference }: Compared) => ratio;

/** Met when the product reaches that multiple of the reference. */
export const atLeast = (least: number, given: Compared): Row => ({
  ...given,
  ratio: ratioOf(given),
  goal: `>= ${least} x ${given.against}`,
  met: ratioOf(given) >= least,
});

/** Met when the product stays within that multiple of the reference. */
export const atMostTimes = (most: number, given: Compared): Row => ({
  ...given,
  ratio: ratioOf(given),
  goal: `<= ${most} x ${given.against}`,
  met: ratioOf(given) <= most,
});

/** Met when the product takes at most so much more than the reference, in its unit. */
export const atMostMore = (more: number, given: Compared): Row => ({
  ...given,
  ratio: ratioOf(given),
  goal: `<= ${given.against} + ${more} ${given.unit}`,
  met: given.product - given.reference <= more,
});

/** Met when the product takes at most so much, in its unit; what it is compared with is only for orientation. */
export const atMost = (most: number, given: Measured | Compared): Row => ({
  ...('reference' in given ? { ...given, ratio: ratioOf(given) } : { ...given, ...NOTHING }),
  goal: `<= ${most} ${given.unit}`,
  met: given.product <= most,
});

const NOTHING = { reference: null, against: '', ratio: null };
