package dev.ligeiro.infra.brokers;

/** There is no usable mongod on this machine and none could be fetched; the message says how to get one. */
public final class NoMongodException extends RuntimeException {

    private static final String ADVICE =
            """
            no mongod on this machine, and none could be fetched:
            %s
            Install MongoDB 6.0 or later so that `mongod` is on the PATH, or name the program by LIGEIRO_MONGOD=/path/to/mongod.""";

    NoMongodException(String reason) {
        super(ADVICE.formatted(reason.strip()));
    }
}
