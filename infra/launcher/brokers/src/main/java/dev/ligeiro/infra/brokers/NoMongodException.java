package dev.ligeiro.infra.brokers;

/** No usable mongod was found or downloaded. The message says how to get one. */
public final class NoMongodException extends RuntimeException {

    private static final String ADVICE =
            """
            no usable mongod:
            %s
            Install MongoDB 6.0 or later so that `mongod` is on the PATH, or set LIGEIRO_MONGOD=/path/to/mongod.""";

    NoMongodException(String reason) {
        super(ADVICE.formatted(reason.strip()));
    }
}
