import { useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Skeleton } from '../kit/parts.tsx';
import { areLoaded, loadTexts } from '../settings/texts.ts';
import { FormPage } from '../start/shell.tsx';

/** A page with one thing to do or to know, whose words come with those of the account. */
export const EndPage = ({ children }: { readonly children: () => ComponentChildren }) => {
  useSignalEffect(() => void loadTexts());
  return <FormPage>{areLoaded() ? children() : <Skeleton />}</FormPage>;
};
