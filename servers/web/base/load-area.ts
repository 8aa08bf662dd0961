import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { addTexts, type Source } from '../text/language.ts';

/** The pages of an area, by place: their path, or its pattern such as `/users/{id}`. */
export type Pages = Readonly<Partial<Record<string, ComponentType>>>;

/** An area of the front, loaded with its texts when one of its pages is opened. */
export interface AreaPages {
  readonly pages: () => Promise<{ readonly pages: Pages }>;
  readonly texts: readonly Source[];
}

const loaded = signal<Pages>({});
const failed = signal<string | undefined>(undefined);

/** Loads the area that has the page `place`, unless it is loaded already. */
export const loadArea = async ({ pages, texts }: AreaPages, place: string): Promise<void> => {
  if (loaded.peek()[place] !== undefined) return;
  failed.value = undefined;
  try {
    const [area] = await Promise.all([pages(), addTexts(texts)]);
    loaded.value = { ...loaded.peek(), ...area.pages };
  } catch {
    failed.value = place;
  }
};

/** The page; undefined until its area is loaded. */
export const pageAt = (place: string): ComponentType | undefined => loaded.value[place];

/** Whether the latest attempt to load an area failed for this page. */
export const hasFailed = (place: string): boolean => failed.value === place;
