/** Writes the times of a page, which are in UTC, in the time zone of the reader. The page is complete without it. */
for (const page of document.querySelectorAll('[data-times]')) {
  const format = new Intl.DateTimeFormat(page.dataset.times, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })
  for (const time of page.querySelectorAll('time[datetime]')) {
    const instant = new Date(time.dateTime)
    if (!Number.isNaN(instant.getTime())) time.textContent = format.format(instant)
  }
}
