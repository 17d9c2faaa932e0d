# Two memories that contradict each other are both contested until one of them is no longer
# ACTIVE; then the conflict of the other falls. Meanwhile confidence does not grow.

policy default revision=OFF
remember a "The ferry to Gotland leaves at 8:15" user=ana source=timetable
remember b "The ferry to Gotland leaves at 9:40" user=ana source=harbour
expect remembered against a
expect a conflict >0.3
expect b conflict >0.3
search "When does the ferry to Gotland leave?" user=ana
expect label a CONTESTED
expect label b CONTESTED
use "When does the ferry to Gotland leave?" user=ana
advance 20h
sleep
expect a confidence <=0.7
expect b confidence <=0.7
expire b
expect a conflict 0
search "When does the ferry to Gotland leave?" user=ana
expect label a CURRENT
expect no hit b

# Two likes, a past and a present, and a question do not conflict.
remember like1 "Ana likes cider" user=ana
remember like2 "Ana likes tea" user=ana
expect like1 conflict 0
remember was "Ana used to live in Cork" user=ana
remember is "Ana lives in Ghent" user=ana
expect was conflict 0
expect is conflict 0
