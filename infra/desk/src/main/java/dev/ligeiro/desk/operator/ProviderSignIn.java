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
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.oauth2.client.OAuth2LoginConfigurer;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistration.ClientSettings;
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
class ProviderSignIn {

    private static final Logger LOG = LoggerFactory.getLogger(ProviderSignIn.class);
    private static final String REGISTRATION = "oidc";
    private static final Duration WAIT_MAX = Duration.ofSeconds(5);
    private static final String BACK = ProviderSignIn.class.getName() + ".back";

    private final ProviderSettings settings;
    private final Sessions sessions;
    private final RestClient client;
    private volatile @Nullable ClientRegistration registration;

    ProviderSignIn(ProviderSettings settings, Sessions sessions) {
        this.settings = settings;
        this.sessions = sessions;
        SimpleClientHttpRequestFactory requests = new SimpleClientHttpRequestFactory();
        requests.setConnectTimeout(WAIT_MAX);
        requests.setReadTimeout(WAIT_MAX);
        this.client = RestClient.builder().requestFactory(requests).build();
    }

    void configure(OAuth2LoginConfigurer<HttpSecurity> login) {
        login.clientRegistrationRepository(id -> REGISTRATION.equals(id) ? registration() : null)
                .loginPage(SignInPages.SIGN_IN)
                .authorizationEndpoint(start -> start.baseUri(SignInPages.SIGN_IN + "/with")
                        .authorizationRedirectStrategy((request, response, provider) -> {
                            request.getSession().setAttribute(BACK, ConsolePath.of(request.getParameter("back")));
                            response.sendRedirect(provider);
                        }))
                .redirectionEndpoint(end -> end.baseUri(SignInPages.SIGN_IN + "/from/*"))
                .successHandler(this::signIn)
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
                    .clientSettings(
                            ClientSettings.builder().requireProofKey(true).build())
                    .build();
            registration = known;
        }
        return known;
    }

    /** Spring's own request for it may wait a minute, under a lock: a silent provider would take the desk's threads. */
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

    private void signIn(HttpServletRequest request, HttpServletResponse response, Authentication who)
            throws IOException {
        Operator operator =
                who.getPrincipal() instanceof OidcUser person ? settings.operator(person.getClaims()) : null;
        if (operator == null) {
            response.sendRedirect(SignInPages.SIGN_IN + "?failed=no_role");
            return;
        }
        String back = ConsolePath.of((String) request.getSession().getAttribute(BACK));
        sessions.begin(operator, request);
        response.sendRedirect(back);
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
