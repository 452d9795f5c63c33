"""What asks AWS itself: the only room that loads boto3, and only when it is called."""
