import { go } from '../base/router.ts';
import { Select } from '../kit/select.tsx';
import { parameter, withQuery } from './query-parameters.ts';

interface FilterProps {
  /** The parameter of the address. */
  readonly name: string;
  readonly label: string;
  /** The option without a filter. */
  readonly any: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  /** Shows the list with the chosen value. */
  readonly show?: (changes: Readonly<Record<string, string>>) => void;
}

export const Filter = ({
  name,
  label,
  any,
  options,
  show = (changes) => go(withQuery(changes)),
}: FilterProps) => (
  <Select
    name={name}
    label={label}
    value={parameter(name)}
    options={[['', any], ...options]}
    onChange={(value) => show({ [name]: value })}
  />
);
