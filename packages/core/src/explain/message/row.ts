import type { Message, Version } from '../../versions.js'
import type { BodyView } from '../body/view.js'
import type { Advice, Messages, Row } from '../case.js'

/** What a sender may sign instead of what it should. */
export interface OtherMessage {
  readonly happened: string
  readonly messages: Messages
}

interface MessageRow extends Advice {
  readonly versions: readonly Version[]
  readonly signed: readonly OtherMessage[]
}

/** A row that changes what is signed. Only for versions that are required: how others are signed is no matter. */
export function messageRow({ signed, ...advice }: MessageRow): Row {
  return {
    ...advice,
    changes: 'message',
    *variants({ listed }) {
      const versions = advice.versions.filter((version) => listed.includes(version))
      for (const { happened, messages } of signed) yield { change: { messages }, happened, versions }
    },
  }
}

/** Another message in front of `t`. */
export function inFrontOfTime(
  happened: string,
  make: (body: BodyView, version: Version) => Message | undefined,
): OtherMessage {
  return {
    happened,
    messages(version, body, timestamp) {
      if (timestamp === undefined) return []
      const message = make(body, version)
      return message === undefined ? [] : [{ message, timestamp }]
    },
  }
}
