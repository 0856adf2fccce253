"""What a plan is made with: facts, needs, attempts, the step of an operator, and the draft of a graph."""
