package dev.ligeiro.infra.loadtest.merchant;

/** Somebody who takes what others need, from its construction until it is closed. Its text says what it was answered. */
public interface Abuser extends AutoCloseable {

    @Override
    void close();
}
