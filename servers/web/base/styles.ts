import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/layout.css';
import '../styles/kit.css';
import '../styles/card-content.css';
