"""The same receiver with the official library: pip install -r requirements.txt"""
import os
import sys

from receiver import receive
from standardwebhooks import Webhook


def verify(secret, headers, body):
    Webhook(secret).verify(body, headers, json_parse=False)


receive(int(sys.argv[1]), os.environ["WEBHOOK_SECRET"], verify)
