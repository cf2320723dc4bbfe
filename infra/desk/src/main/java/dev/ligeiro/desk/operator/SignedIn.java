package dev.ligeiro.desk.operator;

import java.util.stream.Stream;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;

/** The authentication of an operator for Spring Security. */
final class SignedIn extends AbstractAuthenticationToken {

    private static final long serialVersionUID = 1L;

    private final Operator operator;

    SignedIn(Operator operator) {
        super(AuthorityUtils.createAuthorityList(Stream.of(Role.values())
                .filter(operator::has)
                .map(Role::authority)
                .toList()));
        this.operator = operator;
        setAuthenticated(true);
    }

    @Override
    public Object getCredentials() {
        return "";
    }

    @Override
    public Operator getPrincipal() {
        return operator;
    }

    @Override
    public String getName() {
        return operator.name();
    }
}
