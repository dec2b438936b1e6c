import os

from hiring_partner import ApiError, HiringClient

client = HiringClient(base_url=os.environ["BASE_URL"], api_key=os.environ["API_KEY"])

# a list: first_page() gives one page, a loop every row
page = client.jobs.list(status="published", limit=2).first_page()
print(page.data[0].object)

applications = sum(1 for application in client.applications.list(status="new") if application.status == "new")
print(applications > 0)

# a write: the Idempotency-Key is made for you, and is the same for every retry
print(client.lists.create(name="From the SDK").object)

# errors have the code of the catalogue
try:
    client.jobs.get("job_00000000000000000000")
except ApiError as error:
    print(error.code)
