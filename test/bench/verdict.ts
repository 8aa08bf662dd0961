/** One line of the benchmark. Without a reference, `reference` and `ratio` are null. */
export interface Row {
  readonly row: string;
  readonly unit: Unit;
  readonly product: number;
  readonly reference: number | null;
  /** A short name of the reference. */
  readonly against: string;
  readonly ratio: number | null;
  readonly goal: string;
  readonly met: boolean;
  /** False if this machine cannot show whether the goal is met. */
  readonly measurable?: boolean;
  /** Further observations. */
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
  /** The median of the rounds' ratios, in place of the ratio of the medians: the machine's speed varies between rounds. */
  readonly ratio?: number;
}

const ratioOf = ({ product, reference, ratio = product / reference }: Compared) => ratio;

/** Met if the product reaches this multiple of the reference. */
export const atLeast = (least: number, values: Compared): Row => ({
  ...values,
  ratio: ratioOf(values),
  goal: `>= ${least} x ${values.against}`,
  met: ratioOf(values) >= least,
});

/** Met if the product does not exceed this multiple of the reference. */
export const atMostTimes = (most: number, values: Compared): Row => ({
  ...values,
  ratio: ratioOf(values),
  goal: `<= ${most} x ${values.against}`,
  met: ratioOf(values) <= most,
});

/** Met if the product exceeds the reference by at most this difference, in the row's unit. */
export const atMostMore = (more: number, values: Compared): Row => ({
  ...values,
  ratio: ratioOf(values),
  goal: `<= ${values.against} + ${more} ${values.unit}`,
  met: values.product - values.reference <= more,
});

/** Met if the product does not exceed this limit, in the row's unit; a reference is for orientation only. */
export const atMost = (most: number, values: Measured | Compared): Row => ({
  ...('reference' in values ? { ...values, ratio: ratioOf(values) } : { ...values, ...NO_REFERENCE }),
  goal: `<= ${most} ${values.unit}`,
  met: values.product <= most,
});

const NO_REFERENCE = { reference: null, against: '', ratio: null };
