"""Users, by the types of the database."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "1", None


def upgrade():
    op.create_table(
        "users",
        sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
        sa.Column("name", sa.Text, nullable=False, unique=True),
        sa.Column("manager_id", sa.BigInteger, sa.ForeignKey("users.id")),
    )
