package dev.ligeiro.transaction;

/** The direction of a transaction: a cashin receives money from a payer, a cashout sends money to a Pix key. */
public enum Operation implements Coded {
    CASHIN,
    CASHOUT
}
