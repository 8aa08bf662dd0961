const numbers = {
  /** Characters (code points). */
  filenameLongest: 4_096,
  wrappedKeyLongest: 2_048,
  mimeTypeLongest: 255,
  userLongest: 128,
  contextLongest: 256,
  /** Data keys in one batch. */
  batchLongest: 100,
  listLongest: 1_000,
  prefetchMost: 10_000,
  entryLifeSeconds: 3_600,
  syncedEntryLifeSeconds: 86_400,
  tombstoneLifeSeconds: 60,
  /** The life of an entry that replaced a tombstone: longer than `fillWithinMs`, like the tombstone's. */
  renewedEntryLifeSeconds: 60,
  /** How long after the start of its read a value may still be cached: shorter than a tombstone's life. */
  fillWithinMs: 10_000,
  /** How long a known cache generation is trusted. */
  generationTrustedMs: 1_000,
  /** How long health reports a raise of the generation. If a raise follows each second, the reports have no gap. */
  raiseShownMs: 2_500,
  /** A file is active if its last access is at most this old. */
  activeWithinMs: 30 * 86_400_000,
  /** The access counts are written when this many files have new counts. While the store fails, twice as many may wait. */
  accessesWaiting: 10_000,
  syncLimitBytes: 471_859_200,
  /** Data keys that are rewrapped at once. More calls of a key service would wait for each other and miss their deadline. */
  rewrapsAtOnce: 32,
  /** Records that are processed at once. */
  page: 250,
  /** Sizes that are read at once. An embedded store reads a page in a millisecond or two, in which it answers nothing else. */
  sizesPage: 1_000,
};

/** Every number of the file rules. */
export type FilesPolicy = Readonly<typeof numbers>;

export const defaultFilesPolicy: FilesPolicy = numbers;
