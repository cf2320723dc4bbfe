package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.request.Sender;

/**
 * The caller of the admin API.
 *
 * @param name the name of the token, which audit entries show
 */
public record Operator(String name) implements Sender {

    @Override
    public Object bodyShare() {
        return name;
    }
}
