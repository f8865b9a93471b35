/** Links to the page of the merchant, if there is one to return to. */
export function showWayBack(root, { return_url: given, is_open: isOpen }) {
  const url = given ?? referrer()
  root.hidden = url === undefined
  if (url === undefined) return
  const link = root.querySelector('a')
  link.href = url
  link.className = isOpen ? '' : 'button'
  // The address is chosen outside the form, so the customer sees where the link leads.
  link.textContent = `${isOpen ? 'Cancel and return' : 'Return'} to ${new URL(url).host}`
}

/** The site that linked here, without the path. In a frame the customer has not left that site. */
function referrer() {
  const { origin } = new URL(document.referrer || location.href)
  return /^https?:/.test(origin) && origin !== location.origin && top === window ? `${origin}/` : undefined
}
