/** Every number of the file rules. */
export interface FilesPolicy {
  /** Characters (code points). */
  readonly filenameLongest: number;
  readonly wrappedKeyLongest: number;
  readonly mimeTypeLongest: number;
  readonly userLongest: number;
  readonly contextLongest: number;
  /** Data keys in one batch. */
  readonly batchLongest: number;
  readonly listLongest: number;
  readonly prefetchMost: number;
  /** Seconds. */
  readonly entryLife: number;
  readonly syncedEntryLife: number;
  readonly tombstoneLife: number;
  /** The life of an entry that replaced a tombstone: longer than `fillWithin`, like the tombstone's. */
  readonly renewedEntryLife: number;
  /** Milliseconds after the start of a read in which its value may still be cached: shorter than a tombstone's life. */
  readonly fillWithin: number;
  /** Milliseconds for which a known cache generation is trusted. */
  readonly epochTrusted: number;
  /** Milliseconds for which a raise of the generation is reported: longer than the time between two raises. */
  readonly raiseShown: number;
  /** Milliseconds: how recent the last access of an active file is. */
  readonly activeWithin: number;
  /** The number of files whose access counts may wait in memory. */
  readonly accessesWaiting: number;
  readonly syncLimitBytes: number;
  /** Records that are processed at once. */
  readonly page: number;
}

export const defaultFilesPolicy: FilesPolicy = {
  filenameLongest: 4_096,
  wrappedKeyLongest: 2_048,
  mimeTypeLongest: 255,
  userLongest: 128,
  contextLongest: 256,
  batchLongest: 100,
  listLongest: 1_000,
  prefetchMost: 10_000,
  entryLife: 3_600,
  syncedEntryLife: 86_400,
  tombstoneLife: 60,
  renewedEntryLife: 60,
  fillWithin: 10_000,
  epochTrusted: 1_000,
  raiseShown: 2_500,
  activeWithin: 30 * 86_400_000,
  accessesWaiting: 10_000,
  syncLimitBytes: 471_859_200,
  page: 250,
};
