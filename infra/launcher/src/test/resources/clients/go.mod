module client

go 1.23

require example.com/me/ligeiro v0.0.0

replace example.com/me/ligeiro => ./ligeiro
