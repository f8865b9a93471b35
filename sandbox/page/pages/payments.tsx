import { useLocation, useRoute } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { NotFound } from '../parts/empty.js'
import { KindItem, KindList, type Kind } from '../parts/kind.js'
import { listAddress, type Identified } from '../parts/links.js'
import { PAYMENT_KINDS } from './payment-kinds.js'
import { PaymentForm } from './payment-form.js'

const VIEWS = PAYMENT_KINDS.map(({ name, title }) => [listAddress(name), title] as const)

/** Every kind by its name. Only its own parts need to know which items it has. */
const KINDS = new Map<string, Kind<Identified, Identified>>(
  PAYMENT_KINDS.map((kind) => [kind.name, kind as unknown as Kind<Identified, Identified>]),
)

/** The lists of payments and of what belongs to them, the page of each item, and a form for a test payment. */
export function PaymentsPage() {
  const { kind: name, id } = useRoute().params
  if (name === undefined) return <Redirect to={VIEWS[0]![0]} />
  if (name === 'new') return <PaymentForm />
  const kind = KINDS.get(name)
  if (kind === undefined) return <NotFound />
  if (id === undefined) return <KindList key={name} kind={kind} views={VIEWS} />
  return <KindItem key={`${name} ${id}`} kind={kind} id={id} />
}

function Redirect({ to }: { readonly to: string }) {
  const { route } = useLocation()
  useEffect(() => {
    route(to, true)
  }, [])
  return null
}
