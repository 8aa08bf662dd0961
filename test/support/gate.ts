/** What waits for `isOpen` goes on once the test opens the gate. */
export const makeGate = () => {
  let open = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { isOpen, open: () => open() };
};
