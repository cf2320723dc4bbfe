package dev.ligeiro.desk.operator;

import dev.ligeiro.desk.http.ConsolePath;
import dev.ligeiro.desk.http.RequestId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.oauth2.client.OAuth2LoginConfigurer;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestRedirectFilter;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/**
 * The sign-in at an OpenID provider: authorization code with PKCE. The provider is asked for its addresses when somebody signs in, not at the
 * start: while it is down, operators use tokens.
 */
@Component
@ConditionalOnExpression("!'${ligeiro.operators.oidc.issuer:}'.isEmpty()")
class ProviderSignIn {

    private static final Logger LOG = LoggerFactory.getLogger(ProviderSignIn.class);
    private static final String REGISTRATION = "oidc";
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final ProviderSettings settings;
    private final Sessions sessions;
    private final PendingSignIns pending;
    private final RestClient client;
    private volatile @Nullable ClientRegistration registration;

    ProviderSignIn(ProviderSettings settings, Sessions sessions, PendingSignIns pending) {
        this.settings = settings;
        this.sessions = sessions;
        this.pending = pending;
        SimpleClientHttpRequestFactory http = new SimpleClientHttpRequestFactory();
        http.setConnectTimeout(TIMEOUT);
        http.setReadTimeout(TIMEOUT);
        this.client = RestClient.builder().requestFactory(http).build();
    }

    void configure(OAuth2LoginConfigurer<HttpSecurity> login) {
        login.clientRegistrationRepository(id -> REGISTRATION.equals(id) ? registration() : null)
                .loginPage(SignInPages.SIGN_IN)
                .authorizationEndpoint(
                        start -> start.baseUri(SignInPages.SIGN_IN + "/with").authorizationRequestRepository(pending))
                .redirectionEndpoint(end -> end.baseUri(SignInPages.SIGN_IN + "/from/*"))
                .successHandler((request, response, who) -> signIn(
                        who.getPrincipal() instanceof OidcUser person ? person.getClaims() : Map.of(),
                        request,
                        response))
                .failureHandler(this::refuse)
                .addObjectPostProcessor(new ObjectPostProcessor<OAuth2AuthorizationRequestRedirectFilter>() {
                    @Override
                    public <O extends OAuth2AuthorizationRequestRedirectFilter> O postProcess(O start) {
                        start.setAuthenticationFailureHandler(ProviderSignIn.this::refuse);
                        return start;
                    }
                });
    }

    private ClientRegistration registration() {
        ClientRegistration known = registration;
        if (known == null) {
            known = ClientRegistrations.fromOidcConfiguration(configuration())
                    .registrationId(REGISTRATION)
                    .clientId(settings.clientId())
                    .clientSecret(settings.clientSecret())
                    .scope(settings.scopes())
                    .redirectUri("{baseUrl}" + SignInPages.SIGN_IN + "/from/{registrationId}")
                    .clientSettings(ClientRegistration.ClientSettings.builder()
                            .requireProofKey(true)
                            .build())
                    .build();
            registration = known;
        }
        return known;
    }

    private Map<String, Object> configuration() {
        Map<String, Object> found = client.get()
                .uri(settings.issuer() + "/.well-known/openid-configuration")
                .retrieve()
                .body(new ParameterizedTypeReference<>() {});
        if (found == null || !settings.issuer().equals(found.get("issuer"))) {
            throw new IllegalStateException("the provider names another issuer");
        }
        return found;
    }

    private void signIn(Map<String, Object> claims, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Operator operator = settings.operator(claims);
        if (operator == null) {
            response.sendRedirect(SignInPages.SIGN_IN + "?failed=no_role");
            return;
        }
        sessions.begin(operator, request);
        response.sendRedirect(ConsolePath.withBack(SignInPages.SIGN_IN + "/done", PendingSignIns.back(request)));
    }

    private void refuse(HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
            throws IOException {
        LOG.atWarn()
                .addKeyValue("event.action", "provider_sign_in_failed")
                .addKeyValue("request_id", RequestId.of(request))
                .setCause(failure)
                .log("A sign-in at the OpenID provider failed");
        response.sendRedirect(SignInPages.SIGN_IN + "?failed=provider");
    }
}
