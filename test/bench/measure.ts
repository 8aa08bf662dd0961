/** How long and how often things are measured, and where progress is told. */
export interface Measure {
  /** Of one measurement. */
  readonly seconds: number;
  /** Product and reference take turns so often; what counts is the median. */
  readonly rounds: number;
  /** Whether what grows with a size is measured at its full size, which takes minutes. */
  readonly full: boolean;
  /** How many users the great ground of `scale` has, in place of the usual sizes. */
  readonly users?: number;
  /** The one store that `scale` measures. */
  readonly store?: string;
  /** Where `scale` makes its great embedded store, which stays; one that was not measured yet is taken. */
  readonly folder?: string;
  say(text: string): void;
}

export interface Rounds<Product, Reference> {
  readonly product: readonly Product[];
  readonly reference: readonly Reference[];
}

/** Measures product and reference in turns, so that a machine whose mood changes does the same to both. */
export const takeTurns = async <Product, Reference>(
  { rounds, say }: Measure,
  name: string,
  measureProduct: () => Promise<Product>,
  measureReference: () => Promise<Reference>,
): Promise<Rounds<Product, Reference>> => {
  const product: Product[] = [];
  const reference: Reference[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    say(`${name}: round ${round} of ${rounds}`);
    product.push(await measureProduct());
    reference.push(await measureReference());
  }
  return { product, reference };
};
