"""The functions of the JavaScript module `_cotangent` (www/python-host/bridge.ts).

Each is fetched once: looking one up in a JavaScript module costs several times as much as calling it.
"""

import _cotangent as _js

ask = _js.ask
attach = _js.attach
call = _js.call
callHere = _js.callHere
describe = _js.describe
dropHeld = _js.dropHeld
errorHead = _js.errorHead
fetch = _js.fetch
free = _js.free
freeAll = _js.freeAll
invoke = _js.invoke
isX64 = _js.isX64
jaxprReport = _js.jaxprReport
makeError = _js.makeError
newJit = _js.newJit
putString = _js.putString
raiseLeaked = _js.raiseLeaked
raisedAs = _js.raisedAs
readMemory = _js.readMemory
register = _js.register
reset = _js.reset
setMainResults = _js.setMainResults
setMuted = _js.setMuted
setX64 = _js.setX64
stage = _js.stage
string = _js.string
writeMemory = _js.writeMemory
