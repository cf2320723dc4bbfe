package dev.ligeiro.gateway.http.request;

/** The authenticated caller whose body is read. */
public interface Sender {

    /** Names the share of the places for large bodies that the caller uses. The keys of a merchant in one mode use the same share. */
    Object bodyShare();
}
