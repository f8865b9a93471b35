// Questions to the compiler: is<Equal<A, B>>() does not compile unless A is B.
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
export type IsAny<T> = 0 extends 1 & T ? true : false
/** Whether a payload contains `any`. */
export type HasAny<T> =
  IsAny<T> extends true
    ? true
    : T extends readonly (infer Item)[]
      ? HasAny<Item>
      : T extends object
        ? true extends { [Field in keyof T]-?: HasAny<T[Field]> }[keyof T]
          ? true
          : false
        : false
export function is<T extends true>(): T | undefined {
  return undefined
}
