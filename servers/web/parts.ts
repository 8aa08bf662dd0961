import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { addTexts, type Source } from './text/language.ts';

/** The pages of a part, by their places. */
export type Pages = Readonly<Partial<Record<string, ComponentType>>>;

/** What is loaded when one of its pages is opened, with what the pages say. */
export interface Part {
  readonly pages: () => Promise<{ readonly pages: Pages }>;
  readonly texts: readonly Source[];
}

const loaded = signal<Pages>({});
const failed = signal<string | undefined>(undefined);

/** Loads the part that shows a place, unless it is there. */
export const loadPart = async ({ pages, texts }: Part, place: string): Promise<void> => {
  if (loaded.peek()[place] !== undefined) return;
  failed.value = undefined;
  try {
    const [found] = await Promise.all([pages(), addTexts(texts)]);
    loaded.value = { ...loaded.peek(), ...found.pages };
  } catch {
    failed.value = place;
  }
};

/** The page of a place; undefined until its part is there. */
export const pageAt = (place: string): ComponentType | undefined => loaded.value[place];

/** Whether the part of a place could not be loaded. */
export const isBroken = (place: string): boolean => failed.value === place;
