/** A new, unused store and the function that closes it. */
export interface Opened<Store> {
  readonly store: Store;
  close(): Promise<void>;
}

/** Opens an adapter before each test, passes it to `use` and closes it after the test. Call it inside `describe`. */
export const openForEachTest = <T extends { close(): Promise<void> }>(
  open: () => Promise<T>,
  use: (opened: T) => unknown,
): void => {
  let opened: T | undefined;
  beforeEach(async () => {
    opened = undefined;
    opened = await open();
    await use(opened);
  });
  afterEach(() => opened?.close());
};

/** The store of the running test: opened before each test and closed after it. Call it inside `describe`. */
export const storeForEachTest = <Store extends object>(open: () => Promise<Opened<Store>>): Store => {
  let store: Store;
  openForEachTest(open, (opened) => {
    store = opened.store;
  });
  return new Proxy({} as Store, {
    get: (_, name) => {
      const member: unknown = Reflect.get(store, name);
      return typeof member === 'function' ? member.bind(store) : member;
    },
  });
};
