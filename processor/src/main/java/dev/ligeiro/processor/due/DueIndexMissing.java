package dev.ligeiro.processor.due;

/** The gateway has not created the index yet. Without it, each pass would read all transactions. */
final class DueIndexMissing extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DueIndexMissing(Throwable cause) {
        super("index of due work: missing (expected: created by the gateway at its start)", cause);
    }
}
