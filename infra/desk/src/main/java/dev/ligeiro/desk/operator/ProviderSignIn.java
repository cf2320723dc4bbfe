package dev.ligeiro.desk.operator;

import dev.ligeiro.desk.http.ConsolePath;
import dev.ligeiro.desk.http.RequestId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.oauth2.client.OAuth2LoginConfigurer;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.client.registration.ClientRegistration.ClientSettings;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.SupplierClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestRedirectFilter;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.stereotype.Component;

/**
 * The sign-in at an OpenID provider: authorization code with PKCE. The provider is asked for its addresses when somebody signs in, not at the
 * start: while it is down, operators use tokens.
 */
@Component
class ProviderSignIn {

    private static final Logger LOG = LoggerFactory.getLogger(ProviderSignIn.class);
    private static final String BACK = ProviderSignIn.class.getName() + ".back";

    private final ProviderSettings settings;
    private final Sessions sessions;

    ProviderSignIn(ProviderSettings settings, Sessions sessions) {
        this.settings = settings;
        this.sessions = sessions;
    }

    void configure(OAuth2LoginConfigurer<HttpSecurity> login) {
        login.clientRegistrationRepository(new SupplierClientRegistrationRepository(this::provider))
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

    private InMemoryClientRegistrationRepository provider() {
        return new InMemoryClientRegistrationRepository(ClientRegistrations.fromOidcIssuerLocation(settings.issuer())
                .registrationId("oidc")
                .clientId(settings.clientId())
                .clientSecret(settings.clientSecret())
                .scope(settings.scopes())
                .redirectUri("{baseUrl}" + SignInPages.SIGN_IN + "/from/{registrationId}")
                .clientSettings(ClientSettings.builder().requireProofKey(true).build())
                .build());
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
