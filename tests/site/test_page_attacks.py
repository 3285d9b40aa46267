"""Attack the pages of the site in their short forms: changed ZIP files, and hostile devices on USB."""

from kiebitz_lab.torture import page_devices, page_zips
from kiebitz_lab.torture.campaign import Campaign

ZIPS = 12
DEVICES = 12


def test_a_changed_zip_starts_a_device_or_is_refused_with_the_old_games_intact(chromium, address):
    campaign = Campaign("kiebitz_lab.torture.page_zips", 1)
    page_zips.attack(chromium, address, campaign, 0, ZIPS)
    assert campaign.failures == []
    assert campaign.figures["taken"] and campaign.figures["refused"] > 2


def test_a_hostile_device_on_usb_gets_a_sentence_and_nothing_else(chromium, address):
    campaign = Campaign("kiebitz_lab.torture.page_devices", 1)
    page_devices.attack(chromium, address, campaign, 0, DEVICES)
    assert campaign.failures == [] and campaign.figures["devices met"] == DEVICES
