"""Rules with stable ids, called by the plan, the request, the constructs and the live checks; pure functions."""
