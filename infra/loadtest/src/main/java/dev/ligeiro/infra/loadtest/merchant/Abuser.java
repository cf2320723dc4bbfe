package dev.ligeiro.infra.loadtest.merchant;

/** Load beside the measured one, from its construction until it is closed. Its text says what it was answered. */
public interface Abuser extends AutoCloseable {

    @Override
    void close();
}
