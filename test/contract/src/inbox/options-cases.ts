import { expect, it } from 'vitest'

/**
 * The options that every inbox with transactions checks.
 *
 * @param owner the function that makes it
 * @param longest how many characters a part of the table's name may have
 */
export function optionsCases(owner: string, make: (options?: never) => unknown, longest: number): void {
  const noFunction = '"replayKey" must be a function that makes a key of a delivery, got'
  it.each([
    [{ table: '' }, TypeError, '"table" must be a name, or a schema and a name'],
    [{ table: 'a.b.c' }, TypeError, '"table"'],
    [{ table: 'a.' }, TypeError, '"table"'],
    [{ table: 'Inbox' }, TypeError, '"table"'],
    [{ table: '1inbox' }, TypeError, '"table"'],
    [{ table: 'inbox"; DROP TABLE orders; --' }, TypeError, '"table"'],
    [{ table: 'inbox`; DROP TABLE orders; --' }, TypeError, '"table"'],
    [{ table: 'x'.repeat(longest + 1) }, TypeError, '"table"'],
    [{ table: 5 }, TypeError, '"table"'],
    [{ replayKey: 'id' }, TypeError, `${noFunction} string`],
    [{ replayKey: null }, TypeError, `${noFunction} null`],
    [{ waitSeconds: 0 }, RangeError, '"waitSeconds" must be greater than 0'],
    [{ waitSeconds: 3601 }, RangeError, '"waitSeconds"'],
    [{ timeoutSeconds: 0 }, RangeError, '"timeoutSeconds" must be greater than 0'],
    [{ timeoutSeconds: '5' }, TypeError, '"timeoutSeconds"'],
    [{ leaseSeconds: 0 }, RangeError, '"leaseSeconds"'],
    [{ ttlSeconds: -1 }, RangeError, '"ttlSeconds"'],
    [{ ttl: 60 }, TypeError, `${owner} has no option "ttl". Did you mean "ttlSeconds"?`],
    [null, TypeError, `${owner}: expected an options object, got null`],
  ])('refuses the options %j', (options, type, message) => {
    expect(() => make(options as never)).toThrow(type)
    expect(() => make(options as never)).toThrow(message)
  })

  it('remembers for 30 days, and leases for a minute, unless the options say otherwise', () => {
    expect(make()).toMatchObject({ ttlSeconds: 2_592_000, leaseSeconds: 60 })
    const options = { ttlSeconds: 86_400, leaseSeconds: 5 }
    expect(make(options as never)).toMatchObject(options)
  })
}
