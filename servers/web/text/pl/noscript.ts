import type { plain as english } from '../en/noscript.ts';

export const plain: typeof english = {
  noScript:
    'Ta strona wymaga JavaScriptu. Zezwól tej witrynie na skrypty w ustawieniach przeglądarki albo rozszerzenia, które je blokuje, a potem wczytaj stronę ponownie.',
  api: 'API działa bez niego:',
  methods: 'Możesz się tu zalogować:',
  password: 'e-mailem i hasłem',
  passkey: 'kluczem dostępu',
  provider: 'kontem {name}',
};
