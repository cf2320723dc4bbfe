package dev.ligeiro.infra.bank;

import tools.jackson.databind.node.ObjectNode;

/** An answer that says no. */
final class Refusal extends RuntimeException {

    private static final String TYPES = "https://pix.bcb.gov.br/api/v2/error/";

    private final transient Reply reply;

    private Refusal(Reply reply, String message) {
        super(message, null, false, false);
        this.reply = reply;
    }

    Reply reply() {
        return reply;
    }

    /** A problem document of BACEN (RFC 7807). */
    static Refusal problem(int status, String type, String detail) {
        return new Refusal(new Reply(status, document(status, type, detail), Reply.PROBLEM), type);
    }

    /** 400 with the field that is wrong. The value is left out: it may be a person's. */
    static Refusal violation(String type, String property, String reason) {
        return violation(400, type, property, reason);
    }

    static Refusal violation(int status, String type, String property, String reason) {
        ObjectNode document =
                document(status, type, "A requisição não respeita o esquema ou está semanticamente errada.");
        document.putArray("violacoes").addObject().put("razao", reason).put("propriedade", property);
        return new Refusal(new Reply(status, document, Reply.PROBLEM), type);
    }

    /** Efí's own form of an error. */
    static Refusal efi(int status, String name, String message) {
        return new Refusal(new Reply(status, Reply.json("nome", name, "mensagem", message), Reply.JSON), name);
    }

    /** An answer of the control port. */
    static Refusal control(int status, String error) {
        return new Refusal(new Reply(status, Reply.json("error", error), Reply.JSON), error);
    }

    /** An error of the token endpoint (RFC 6749 §5.2). */
    static Refusal oauth(int status, String error, String description) {
        ObjectNode document = Reply.json("error", error, "error_description", description);
        return new Refusal(new Reply(status, document, Reply.JSON), error);
    }

    Refusal withHeader(String name, String value) {
        return new Refusal(reply.withHeader(name, value), String.valueOf(getMessage()));
    }

    private static ObjectNode document(int status, String type, String detail) {
        return Reply.json("type", TYPES + type, "title", title(status), "status", status, "detail", detail);
    }

    private static String title(int status) {
        return switch (status) {
            case 400 -> "Requisição inválida.";
            case 401 -> "Não autenticado.";
            case 403 -> "Acesso negado.";
            case 404 -> "Não encontrado.";
            case 429 -> "Requisições em excesso.";
            case 503 -> "Serviço indisponível.";
            default -> "Requisição recusada.";
        };
    }
}
