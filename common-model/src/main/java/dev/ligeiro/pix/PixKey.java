package dev.ligeiro.pix;

/** Stands in until the pix branch lands. */
public record PixKey(Type type, String value) {
    /** Key kinds. */
    public enum Type {
        CPF,
        CNPJ,
        PHONE,
        EMAIL,
        EVP
    }
}
