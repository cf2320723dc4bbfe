package dev.ligeiro.gateway.http.html;

/** The API has answered with a problem where a page needs an answer. */
public final class ApiFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient ApiAnswer answer;

    public ApiFailure(ApiAnswer answer) {
        super(answer.code(), null, false, false);
        this.answer = answer;
    }

    public ApiAnswer answer() {
        return answer;
    }
}
