/** The length and number of measurements, and the output of progress. */
export interface Measure {
  /** The length of one measurement. */
  readonly seconds: number;
  /** The number of turns of product and reference; the median counts. */
  readonly rounds: number;
  /** Whether sizes are measured in full, which takes minutes. */
  readonly full: boolean;
  /** The number of users in the large store of `scale`, in place of the usual sizes. */
  readonly users?: number;
  /** The only store that `scale` measures. */
  readonly store?: string;
  /** The folder in which `scale` creates its large embedded store, or finds one that was not measured yet. */
  readonly folder?: string;
  say(text: string): void;
}

export interface Rounds<Product, Reference> {
  readonly product: readonly Product[];
  readonly reference: readonly Reference[];
}

/** Measures product and reference in turns, so that changes of the machine's speed affect both. */
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
