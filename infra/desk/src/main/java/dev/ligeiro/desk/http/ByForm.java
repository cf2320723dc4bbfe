package dev.ligeiro.desk.http;

/**
 * The group of constraints that hold for forms only: a person types the sum once more before money leaves. Programs need not. They are on
 * amounts, which no link fills in.
 */
public interface ByForm {}
