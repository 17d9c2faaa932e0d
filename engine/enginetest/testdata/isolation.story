# Beliefs, duplicates and searches are confined to one namespace and user.

remember mine "The door code of the studio is 4471" namespace=work user=ana
remember theirs "The door code of the studio is 9035" namespace=home user=ana
expect remembered new
expect mine conflict 0
expect theirs conflict 0
remember beas "The door code of the studio is 1120" namespace=work user=bea
expect remembered new

adjudicate other "The door code of the studio is 2222" subject="door code of the studio" namespace=elsewhere
  evidence=x:1:1
expect decision STORED
expect mine status ACTIVE
expect theirs status ACTIVE

search "What is the door code of the studio?" namespace=work user=ana
expect hits 1
expect hit mine

caller bea user=bea grant=1
search "What is the door code of the studio?"
expect hit beas
expect no hit mine
expect no hit theirs
pin mine
expect error MEMORY_NOT_FOUND
supersede mine stolen "The door code of the studio is 0000"
expect error MEMORY_NOT_FOUND
caller work namespaces=work
search "What is the door code of the studio?" namespace=home
expect error FORBIDDEN field=namespaces
